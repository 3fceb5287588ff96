public import ByteCoding
public import ChatProtocol
public import JSONCoding

/// The effect of a change to what a profile says about its owner.
public enum ProfileUpdate: ChatResponse {
    /// The profile before and after, how many contacts are being told, and those with whom something else is allowed now.
    case updated(from: Profile, to: OwnProfile, told: Int, changed: [Contact])
    /// The profile says that already.
    case unchanged(OwnProfile)

    /// The profile as it is now.
    public var profile: OwnProfile {
        switch self {
        case .updated(_, let profile, _, _), .unchanged(let profile): profile
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
        if case .updated(let former, let profile, let told, let changed) = self {
            fields["fromProfile"] = former.json
            fields["toProfile"] = profile.profile.json
            fields["updateSummary"] = .object([
                "updateSuccesses": .integer(Int64(told)), "updateFailures": 0,
                "changedContacts": .array(changed.map(\.json)),
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
                from: try fields.required("fromProfile"), to: profile, told: try summary.count("updateSuccesses"),
                changed: try summary.list("changedContacts"))
        case "userProfileNoChange": self = .unchanged(profile)
        default: throw .invalid("type")
        }
    }

    /// What other sessions show of the profile.
    var effect: SessionEffect? {
        if case .updated(_, let profile, _, _) = self { .visible(profile, .listsChanged) } else { nil }
    }
}
