public import ByteCoding
public import JSONCoding

/// Messages of a profile with the chats that they belong to, oldest first.
public struct ChatItems: SimpleResponse {
    public let profile: OwnProfile
    public let items: [LocatedItem]

    public static let type = "chatItems"

    public var fields: JSONObject { ["user": profile.json, "chatItems": .array(items.map(\.json))] }

    init(profile: OwnProfile, items: [LocatedItem]) {
        self.profile = profile
        self.items = items
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), items: try fields.list("chatItems"))
    }
}
