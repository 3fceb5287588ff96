public import ByteCoding
public import JSONCoding

/// Profiles of the user.
public struct ProfileList: SimpleResponse {
    public let profiles: [OwnProfile]

    public static let type = "usersList"

    public var fields: JSONObject { ["users": .array(profiles.map(\.summaryJSON))] }

    init(_ profiles: [OwnProfile]) {
        self.profiles = profiles
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            try fields.list("users") { summary throws(DecodeError) in try summary.required("user") as OwnProfile })
    }
}
