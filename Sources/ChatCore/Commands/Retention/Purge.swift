public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Removes messages that are older than a moment, or counts them. (`/_purge 1 [@4] before=TIME [dry=on]`, `/purge ...`; the
/// official core has none)
public struct Purge: ChatCommand {
    public var profile: ProfileID?
    /// Only this chat; nil for all of the profile but its notes.
    public var chat: ChatReference?
    public var time: Timestamp
    /// True if nothing is removed.
    public var isDry: Bool

    public init(_ profile: ProfileID? = nil, in chat: ChatReference? = nil, before time: Timestamp, isDry: Bool) {
        self.profile = profile
        self.chat = chat
        self.time = time
        self.isDry = isDry
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        numbered: "purge", { $0.profile }, .reference(\.chat), .time("before", \.time), .flag("dry", \.isDry),
        make: Self.init)

    public func effect(of response: ItemsPurged) -> SessionEffect? {
        guard !response.isDry else { return nil }
        let entries = response.chats.flatMap { purged in
            purged.items.map { SessionEffect.DeletedEntry(chat: purged.chat.reference, item: $0) }
        }
        return .visible(response.profile, .itemsDeleted(entries))
    }

    public func perform(on core: isolated LocalCore) async throws -> ItemsPurged {
        let profile = try core.lookup.profile(profile)
        return ItemsPurged(
            profile: profile, chats: try core.expiry.purge(profile, in: chat, before: time, isDry: isDry),
            isDry: isDry)
    }
}

/// The messages that were removed, or would be.
public struct ItemsPurged: SimpleResponse {
    public let profile: OwnProfile
    public let chats: [PurgedChat]
    public let isDry: Bool

    public static let type = "chatItemsPurged"

    public var fields: JSONObject {
        ["user": profile.json, "chats": .array(chats.map(\.json)), "dryRun": .bool(isDry)]
    }

    init(profile: OwnProfile, chats: [PurgedChat], isDry: Bool) {
        self.profile = profile
        self.chats = chats
        self.isDry = isDry
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            profile: try fields.required("user"), chats: try fields.list("chats"), isDry: try fields.bool("dryRun"))
    }
}

/// The messages that were purged from a chat.
public struct PurgedChat: Hashable, Sendable {
    public let chat: Chat
    /// Oldest first.
    public let items: [ChatItemID]
}

extension Argument where Value == Timestamp {
    /// `before=TIME`
    fileprivate static func time(
        _ name: String, _ value: @escaping @Sendable (Command) -> Timestamp
    ) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                guard reader.skipExactly(name, "=") else { throw .invalid("time") }
                return try Timestamp(text: reader.word())
            }, write: { "\(name)=\(value($0))" })
    }
}
