public import ByteCoding
public import ChatProtocol
public import JSONCoding

/// The effect of a change to what a profile says about its owner.
public enum ProfileUpdate: ChatResponse {
    /// The profile before and after, and how many contacts are being told.
    case updated(from: Profile, to: OwnProfile, told: Int)
    /// The profile says that already.
    case unchanged(OwnProfile)

    /// The profile as it is now.
    public var profile: OwnProfile {
        switch self {
        case .updated(_, let profile, _), .unchanged(let profile): profile
        }
    }

    public var type: String {
        switch self {
        case .updated: "userProfileUpdated"
        case .unchanged: "userProfileNoChange"
        }
    }

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json]
        if case .updated(let former, let profile, let told) = self {
            fields["fromProfile"] = former.json
            fields["toProfile"] = profile.profile.json
            fields["updateSummary"] = .object([
                "updateSuccesses": .integer(Int64(told)), "updateFailures": 0, "changedContacts": [],
            ])
        }
        return fields
    }

    public init(type: String, from fields: inout JSONFields) throws(DecodeError) {
        let profile: OwnProfile = try fields.required("user")
        switch type {
        case "userProfileUpdated":
            var summary = try fields.object("updateSummary")
            self = .updated(
                from: try fields.required("fromProfile"), to: profile, told: try summary.count("updateSuccesses"))
        case "userProfileNoChange": self = .unchanged(profile)
        default: throw .invalid("type")
        }
    }

    /// What other sessions show of the profile.
    var effect: SessionEffect? {
        if case .updated(_, let profile, _) = self { .visible(profile, .listsChanged) } else { nil }
    }
}
