public import ByteCoding
public import JSONCoding

/// The address of a profile.
public struct ProfileAddress: SimpleResponse {
    public let profile: OwnProfile
    public let address: Address

    public static let type = "userContactLink"

    public var fields: JSONObject { ["user": profile.json, "contactLink": address.json] }

    init(profile: OwnProfile, address: Address) {
        self.profile = profile
        self.address = address
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), address: try fields.required("contactLink"))
    }
}
