public import ByteCoding
public import JSONCoding

/// A new address.
public struct CreatedAddress: SimpleResponse {
    public let profile: OwnProfile
    public let address: Address

    public static let type = "userContactLinkCreated"

    public var fields: JSONObject {
        // The official core tells the link only.
        ["user": profile.json, "connLinkContact": address.link.json, "contactLink": address.json]
    }

    init(profile: OwnProfile, address: Address) {
        self.profile = profile
        self.address = address
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), address: try fields.required("contactLink"))
    }
}
