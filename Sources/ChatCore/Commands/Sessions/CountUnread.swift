public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Counts the unread entries of a profile's chats, and those of other profiles. (`/_unread 1`, `/unread`)
public struct CountUnread: ChatCommand {
    public var profile: ProfileID?

    public init(_ profile: ProfileID? = nil) {
        self.profile = profile
    }

    public static let access = Access.read
    public static let syntax = Syntax(numbered: "unread", \.profile, make: Self.init)

    public func perform(on core: isolated LocalCore) async throws -> UnreadReport {
        let profile = try core.lookup.profile(profile), store = core.store
        let elsewhere = try store.profiles().reduce(0) { $0 + ($1.id == profile.id ? 0 : $1.unreadCount) }
        return UnreadReport(profile: profile, chats: try store.unreadCounts(of: profile.id), elsewhere: elsewhere)
    }
}

/// How many entries of a chat are unread.
public struct UnreadCount: Hashable, Sendable {
    public let all: Int
    /// Those that mention the user.
    public let mentions: Int

    public init(all: Int, mentions: Int = 0) {
        (self.all, self.mentions) = (all, mentions)
    }
}

/// Unread entries.
public struct UnreadReport: SimpleResponse {
    public let profile: OwnProfile
    /// The chats of the profile that have unread entries, and their numbers.
    public let chats: [ChatReference: UnreadCount]
    /// Unread entries of other profiles.
    public let elsewhere: Int

    public static let type = "unread"

    init(profile: OwnProfile, chats: [ChatReference: UnreadCount], elsewhere: Int) {
        self.profile = profile
        self.chats = chats
        self.elsewhere = elsewhere
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("user")
        let counts: [(ChatReference, UnreadCount)] = try fields.list("chats") { chat throws(DecodeError) in
            let reference = try ChatReference(from: &chat), all = try chat.count("unreadCount")
            return (reference, UnreadCount(all: all, mentions: try chat.count("unreadMentions")))
        }
        chats = Dictionary(counts) { first, _ in first }
        elsewhere = try fields.count("elsewhere")
    }

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json]
        fields["chats"] = .array(
            chats.sorted { ($0.key.number, $0.key.idField) < ($1.key.number, $1.key.idField) }.map { chat, count in
                .object([
                    chat.idField: .integer(chat.number), "unreadCount": .integer(Int64(count.all)),
                    "unreadMentions": .integer(Int64(count.mentions)),
                ])
            })
        fields.set("elsewhere", elsewhere)
        return fields
    }
}
