public import ByteCoding
import ChatProtocol
public import JSONCoding

/// Forwards messages of one chat to another. (`/_forward @1 [as_group=on] @2 7,8 [ttl=60|default]`: to the first from the second)
public struct ForwardMessages: ChatCommand {
    public var chat: ChatTarget
    public var source: ChatTarget
    public var items: [ChatItemID]
    /// The number of seconds after which the copies disappear; 0 for never, nil for the default of the chat.
    public var ttl: Int64?

    public init(to chat: ChatTarget, from source: ChatTarget, _ items: [ChatItemID], ttl: Int64? = nil) {
        self.chat = chat
        self.source = source
        self.items = items
        self.ttl = ttl
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form(
            "/_forward", .chat(\.chat), .flag("as_group", { @Sendable _ in false }), .chat(\.source), .items(\.items),
            .lifetime(\.ttl),
            make: { Self(to: $1 ? $0.asChannel : $0, from: $2, $3, ttl: $4) }))

    public func utterances(on core: isolated LocalCore) async throws -> [Utterance] {
        let chat = try core.lookup.chat(chat), profile = try core.lookup.profile(chat.profileID)
        return items.compactMap { id in
            guard case .message(let content)? = (try? core.lookup.visibleItem(id))?.item.content else { return nil }
            return Utterance(profile: profile, chat: chat, content: content, forwards: id)
        }
    }

    public func effect(of response: NewChatItems) -> SessionEffect? {
        .visible(response.profile, .newItems(response.items))
    }

    public func perform(on core: isolated LocalCore) async throws -> NewChatItems {
        try core.conversations.forward(items, from: source, to: chat, ttl: ttl)
    }
}

/// The messages that were written.
public struct NewChatItems: SimpleResponse {
    public let profile: OwnProfile
    public let items: [LocatedItem]

    public static let type = "newChatItems"

    public var fields: JSONObject { ["user": profile.json, "chatItems": .array(items.map(\.json))] }

    init(profile: OwnProfile, items: [LocatedItem]) {
        self.profile = profile
        self.items = items
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), items: try fields.list("chatItems"))
    }
}
