public import ByteCoding
public import JSONCoding

/// The entry of a file that was accepted.
public struct FileAccepted: SimpleResponse {
    public let profile: OwnProfile
    public let item: LocatedItem

    public static let type = "rcvFileAccepted"

    init(profile: OwnProfile, item: LocatedItem) {
        self.profile = profile
        self.item = item
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), item: try fields.required("chatItem"))
    }

    public var fields: JSONObject { ["user": profile.json, "chatItem": item.json] }
}
