public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Lists the chats that were active last, each with what a list shows of it, and the connections that belong to no contact yet.
/// (`/_summaries 1 [count=20]`, `/summaries [count=20]`)
public struct SummarizeChats: ChatCommand {
    public var profile: ProfileID?
    /// At most so many chats; nil for all.
    public var count: Int?

    public init(_ profile: ProfileID? = nil, count: Int? = nil) {
        self.profile = profile
        self.count = count
    }

    public static let access = Access.read
    public static let syntax = Syntax(
        Form.numbered(
            "/_summaries", named: "/summaries", { $0.profile }, .count(\.count), make: { Self($0, count: $1) }))

    public func perform(on core: isolated LocalCore) async throws -> ChatSummaries {
        let profile = try core.lookup.profile(profile)
        return ChatSummaries(
            profile: profile, chats: try core.store.summaries(of: profile.id, count),
            pending: try core.store.pendingConnections(of: profile.id))
    }
}

/// What a list shows of chats, the last active first, and connections that belong to no contact yet.
public struct ChatSummaries: SimpleResponse {
    public let profile: OwnProfile
    /// Without notes in which nothing was noted.
    public let chats: [ChatSummary]
    public let pending: [ContactConnection]

    public static let type = "chatSummaries"

    public init(profile: OwnProfile, chats: [ChatSummary], pending: [ContactConnection]) {
        self.profile = profile
        self.chats = chats
        self.pending = pending
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            profile: try fields.required("user"), chats: try fields.list("chats"), pending: try fields.list("pending"))
    }

    public var fields: JSONObject {
        ["user": profile.json, "chats": .array(chats.map(\.json)), "pending": .array(pending.map(\.json))]
    }
}
