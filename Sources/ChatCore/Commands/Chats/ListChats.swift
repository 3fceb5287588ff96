public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Lists the chats that were active last, each with its newest message. (`/_get chats 1 [pcc=on] [count=20]`, `/chats`)
public struct ListChats: ChatCommand {
    public var profile: ProfileID?
    /// Whether connections that belong to no contact yet are listed too.
    public var includesPending: Bool
    /// At most so many chats; nil for all.
    public var count: Int?

    public init(_ profile: ProfileID? = nil, includesPending: Bool = false, count: Int? = nil) {
        self.profile = profile
        self.includesPending = includesPending
        self.count = count
    }

    public static let access = Access.read
    public static let syntax = Syntax(
        Form.numbered(
            "/_get chats", named: "/chats", { $0.profile }, aliases: ["/cs"], .flag("pcc", \.includesPending),
            .count(\.count),
            make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ChatList {
        let profile = try core.lookup.profile(profile), count = count ?? Int(Int32.max)
        let items = try core.store.lastItems(of: profile.id, count)
        let chats = try core.store.recentChats(of: profile.id, count)
        return ChatList(
            profile: profile, chats: chats.map { ChatPreview(chat: $0, lastItem: items[$0.reference]) },
            pending: includesPending ? try core.store.pendingConnections(of: profile.id) : [])
    }
}

/// Chats, the last active first, and connections that belong to no contact yet.
public struct ChatList: SimpleResponse {
    public let profile: OwnProfile
    public let chats: [ChatPreview]
    public let pending: [ContactConnection]

    public static let type = "apiChats"

    public var fields: JSONObject {
        ["user": profile.json, "chats": .array(chats.map(\.json) + pending.map(\.chatJSON))]
    }

    init(profile: OwnProfile, chats: [ChatPreview], pending: [ContactConnection]) {
        self.profile = profile
        self.chats = chats
        self.pending = pending
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("user")
        (chats, pending) = try ChatPreview.list("chats", from: &fields)
    }
}
