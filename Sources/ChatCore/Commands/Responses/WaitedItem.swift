public import ByteCoding
public import JSONCoding

/// An own message after waiting for it, and what prevents it from being sent.
public struct WaitedItem: SimpleResponse {
    public let profile: OwnProfile
    public let item: LocatedItem
    /// Nil if nothing is known to be in the way.
    public let obstacle: RelayProblem?

    public static let type = "itemWaited"

    init(_ profile: OwnProfile, _ item: LocatedItem, obstacle: RelayProblem?) {
        self.profile = profile
        self.item = item
        self.obstacle = obstacle
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("user")
        item = try fields.required("chatItem")
        obstacle = try fields.optional("obstacle")
    }

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json, "chatItem": item.json]
        fields.set("obstacle", obstacle)
        return fields
    }
}
