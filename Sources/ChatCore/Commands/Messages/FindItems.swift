public import AgentProtocol
import ByteCoding

/// Finds messages of a profile.
/// (`/_search 1 [@4] [after=12] [since=TIME] [until=TIME] [unread=on] [messages=sent|received]
/// [support=on|off|12] [first|last=20] [WORDS]`, `/search ...`)
public struct FindItems: ChatCommand {
    public var profile: ProfileID?
    public var query: ItemQuery

    public init(_ profile: ProfileID? = nil, _ query: ItemQuery) {
        self.profile = profile
        self.query = query
    }

    public static let access = Access.read
    public static let syntax = Syntax(numbered: "search", { $0.profile }, .query(\.query), make: Self.init)

    public func perform(on core: isolated LocalCore) async throws -> ChatItems {
        let profile = try core.lookup.profile(profile)
        var query = query
        if let reference = query.chat {
            let chat = try core.lookup.chat(reference)
            guard chat.profileID == profile.id else { throw ChatError.chatNotFound(reference) }
            query.chat = chat.reference
        }
        return ChatItems(profile: profile, items: try core.lookup.locate(try core.store.items(of: profile.id, query)))
    }
}

extension Argument where Value == ItemQuery {
    fileprivate static func query(_ value: @escaping @Sendable (Command) -> ItemQuery) -> Argument {
        Argument(read: { reader throws(DecodeError) in try reader.query() }, write: { value($0).text })
    }
}

extension ItemQuery {
    fileprivate var text: String {
        var parts: [String] = []
        if let chat { parts.append(chat.text) }
        if let after { parts.append("after=\(after.number)") }
        if let since { parts.append("since=\(since)") }
        if let until { parts.append("until=\(until)") }
        if isUnread { parts.append("unread=on") }
        if let direction { parts.append("messages=\(direction.rawValue)") }
        switch support {
        case nil: break
        case .all: parts.append("support=on")
        case .some(.none): parts.append("support=off")
        case .member(let id): parts.append("support=\(id.number)")
        }
        if let count { parts.append("\(takesOldest ? "first" : "last")=\(count)") }
        if let words { parts.append(ItemQuery.isPlain(words) ? words : "words=\(words)") }
        return parts.joined(separator: " ")
    }

    /// False for words that would be read as a chat or an option of the command, such as `unread=on`, or lose a space at their
    /// start.
    private static func isPlain(_ words: String) -> Bool {
        guard let first = words.utf8.first, !"@#* ".utf8.contains(first) else { return false }
        return !words.utf8.prefix { $0 != UInt8(ascii: " ") }.contains(UInt8(ascii: "="))
    }
}

extension CommandReader {
    fileprivate mutating func query() throws(DecodeError) -> ItemQuery {
        var query = ItemQuery()
        query.chat = try reference()
        if skip("after=") { query.after = ChatItemID(try integer()) }
        if skip("since=") { query.since = try Timestamp(text: word()) }
        if skip("until=") { query.until = try Timestamp(text: word()) }
        query.isUnread = skip("unread=on")
        if skip("messages=") {
            guard let direction = ChatItem.Direction(rawValue: word()) else { throw .invalid("messages") }
            query.direction = direction
        }
        if skip("support=on") {
            query.support = .all
        } else if skip("support=off") {
            query.support = ItemQuery.Support.none
        } else if skip("support=") {
            query.support = .member(GroupMemberID(try integer()))
        }
        if skip("first=") {
            query.takesOldest = true
            query.count = try integer()
        } else if skip("last=") {
            query.count = try integer()
        }
        if skipExactly("words=") {
            query.words = rest()
        } else if !isAtEnd {
            query.words = rest()
        }
        return query
    }
}
