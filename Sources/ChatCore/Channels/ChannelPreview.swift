import AgentProtocol
public import ByteCoding
public import ChatProtocol
public import JSONCoding

/// What a chat relay shows of a channel on the web: its profile and its last messages (network-7.md 17.4).
public struct ChannelPreview: Hashable, Sendable {
    /// The author of a message, or an owner of the channel.
    public struct Author: Hashable, Sendable {
        public let id: MemberID
        public let name: String
        /// A data URI.
        public let image: String?
    }

    public struct Message: Hashable, Sendable {
        /// Nil for a post of the channel.
        public let author: Author?
        public let time: Timestamp
        public let content: MessageContent
        /// The name and the size in bytes; nil for none.
        public let file: (name: String, size: Int64)?
        public let quote: Quote?
        public let isForwarded: Bool
        public let isEdited: Bool
        let reactions: JSONValue

        public static func == (one: Message, other: Message) -> Bool { one.json == other.json }
        public func hash(into hasher: inout Hasher) { hasher.combine(json) }
    }

    public let profile: GroupProfile
    public let owners: [Author]
    public let subscribers: Int64?
    /// The last messages, oldest first.
    public let messages: [Message]

    /// The id of the channel in base64url, by which its files are called.
    public var name: String? { profile.publicGroup.map { Base64URL.encode($0.id) } }

    /// The JSON form of the file, as the official relay writes it.
    public func json(at time: Timestamp) -> JSONObject {
        var authors: [MemberID: Author] = [:]
        for author in owners + messages.compactMap(\.author) { authors[author.id] = author }
        let sorted = authors.values.sorted { $0.id.bytes.lexicographicallyPrecedes($1.id.bytes) }
        var fields: JSONObject = ["channel": profile.json]
        fields["shortDescription"] = profile.shortDescription.flatMap { FormattedText.json(of: $0) }
        fields["welcomeMessage"] = profile.welcome.flatMap { FormattedText.json(of: $0) }
        fields["members"] = .array(sorted.map(\.json))
        fields.set("subscribers", subscribers)
        fields["messages"] = .array(messages.map(\.json))
        fields.set("updatedAt", time.apiText)
        return fields
    }
}

extension ChannelPreview.Author {
    init(_ member: GroupMember) {
        self.init(id: member.memberID, name: member.profile.displayName, image: member.profile.image)
    }

    fileprivate var json: JSONValue {
        var fields: JSONObject = ["memberId": id.json]
        fields.set("displayName", name)
        fields.set("image", image)
        return .object(fields)
    }
}

extension ChannelPreview.Message {
    fileprivate init?(_ item: ChatItem) {
        guard case .message(let content) = item.content, item.ttl == nil, item.deletedAt == nil else { return nil }
        if case .report = content.kind { return nil }
        let isFromGroup = item.group?.isFromGroup ?? false
        self.init(
            author: isFromGroup ? nil : item.group?.author.map { ChannelPreview.Author($0) }, time: item.time,
            content: content, file: item.file.map { ($0.name, $0.size) }, quote: item.quote,
            isForwarded: item.isForwarded, isEdited: item.editedAt != nil, reactions: item.reactions.json)
    }

    fileprivate var json: JSONValue {
        var fields: JSONObject = [:]
        fields["sender"] = author?.id.json
        fields.set("ts", time.apiText)
        fields["content"] = content.json
        fields["formattedText"] = FormattedText.json(of: content.text)
        if let file {
            fields["file"] = .object(["fileName": .string(file.name), "fileSize": .integer(file.size)])
        }
        fields["quote"] = quote?.json
        fields["reactions"] = reactions
        if isForwarded { fields["forward"] = true }
        fields["edited"] = .bool(isEdited)
        return .object(fields)
    }
}

extension LocalCore {
    /// The channels that the user serves, as the web shows them.
    ///
    /// - Parameter count: The most messages of each.
    public func channelPreviews(_ count: Int) throws(ChatError) -> [ChannelPreview] {
        do {
            guard let relay = try store.chatRelay() else { return [] }
            return try store.groups(of: relay).filter(\.serves).map { group in
                let owners = try store.members(of: group.id).filter { $0.role == .owner && $0.status.isCurrent }
                // What newcomers do not get is not shown to everybody.
                let items = group.preferences.isOn(.history) ? try store.history(of: group.id, count) : []
                let messages = items.filter { $0.group?.author.map { !$0.isBlockedForAll } ?? true }
                return ChannelPreview(
                    profile: group.profile, owners: owners.map { ChannelPreview.Author($0) },
                    subscribers: try store.publicMemberCount(of: group.id),
                    messages: messages.compactMap { ChannelPreview.Message($0) })
            }
        } catch {
            throw ChatError(error)
        }
    }
}
