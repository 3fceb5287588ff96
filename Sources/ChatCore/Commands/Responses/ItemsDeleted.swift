public import ByteCoding
public import JSONCoding

/// Messages that were deleted, and what is left of each.
public struct ItemsDeleted: SimpleResponse {
    public let profile: OwnProfile
    public let deleted: [DeletedItem]

    public static let type = "chatItemsDeleted"

    public var fields: JSONObject {
        let user: JSONObject = ["user": profile.json]
        return user.merging(DeletedItem.fields(deleted, byUser: true))
    }

    init(profile: OwnProfile, deleted: [DeletedItem]) {
        self.profile = profile
        self.deleted = deleted
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), deleted: try fields.list("chatItemDeletions"))
    }

    /// What sessions do about it.
    var effect: SessionEffect? { .visible(profile, .deleted(deleted)) }
}
