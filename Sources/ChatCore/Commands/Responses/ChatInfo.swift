public import ByteCoding
public import JSONCoding

/// One chat.
public struct ChatInfo: SimpleResponse {
    public let profile: OwnProfile
    public let chat: Chat

    public static let type = "chatInfo"

    public var fields: JSONObject { ["user": profile.json, "chatInfo": chat.json] }

    init(profile: OwnProfile, chat: Chat) {
        self.profile = profile
        self.chat = chat
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), chat: try fields.required("chatInfo"))
    }
}
