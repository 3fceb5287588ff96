public import ByteCoding
public import JSONCoding

/// Shows after how long messages of a chat are removed. (`/ttl @name`)
public struct ShowChatRetention: ChatCommand {
    public var chat: ChatTarget

    public init(_ chat: ChatTarget) {
        self.chat = chat
    }

    public static let access = Access.read
    public static let syntax = Syntax(Form("/ttl", .chat(\.chat), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ChatRetentionInfo {
        let chat = try core.lookup.chat(chat)
        return ChatRetentionInfo(profile: try core.lookup.profile(chat.profileID), seconds: chat.retention.ttl)
    }
}

/// After how many seconds messages of a chat are removed: 0 for never, nil as the profile has it.
public struct ChatRetentionInfo: SimpleResponse {
    public let profile: OwnProfile
    public let seconds: Int64?

    public static let type = "chatItemTTL"

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json]
        fields.set("chatItemTTL", seconds)
        return fields
    }

    init(profile: OwnProfile, seconds: Int64?) {
        self.profile = profile
        self.seconds = seconds
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), seconds: try fields.optionalInteger("chatItemTTL"))
    }
}
