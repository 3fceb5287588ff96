public import ByteCoding
public import JSONCoding

/// A call after this side did something about it.
public struct CallChange: SimpleResponse {
    public let profile: OwnProfile
    public let call: LocatedItem

    public static let type = "cmdOk"

    init(_ profile: OwnProfile, _ call: LocatedItem) {
        self.profile = profile
        self.call = call
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("user_")
        call = try fields.required("chatItem")
    }

    /// Those of the official core, and the entry of the call.
    public var fields: JSONObject { ["user_": profile.json, "chatItem": call.json] }
}
