public import ByteCoding
public import JSONCoding

/// A channel with new relays, or why it has them not.
public struct ChannelRelaysChange: ChatResponse {
    public enum Outcome: Hashable, Sendable {
        /// The channel is new.
        case created(Group, GroupLink, [GroupRelay])
        case added(Group, GroupLink, [GroupRelay])
        /// No channel was made, because some relays cannot be used.
        case creationFailed([AddedRelay])
        /// No relay was added, because some cannot be used.
        case addingFailed([AddedRelay])
    }

    public let profile: OwnProfile
    public let outcome: Outcome

    init(_ profile: OwnProfile, _ outcome: Outcome) {
        self.profile = profile
        self.outcome = outcome
    }

    /// The channel; nil if nothing was done.
    public var group: Group? {
        switch outcome {
        case .created(let group, _, _), .added(let group, _, _): group
        case .creationFailed, .addingFailed: nil
        }
    }

    public var type: String {
        switch outcome {
        case .created: "publicGroupCreated"
        case .added: "groupRelaysAdded"
        case .creationFailed: "publicGroupCreationFailed"
        case .addingFailed: "groupRelaysAddFailed"
        }
    }

    public var fields: JSONObject {
        switch outcome {
        case .created(let group, let link, let relays), .added(let group, let link, let relays):
            [
                "user": profile.json, "groupInfo": group.json, "groupLink": link.json,
                "groupRelays": .array(relays.map(\.json)),
            ]
        case .creationFailed(let results), .addingFailed(let results):
            ["user": profile.json, "addRelayResults": .array(results.map(\.json))]
        }
    }

    public init(type: String, from fields: inout JSONFields) throws(DecodeError) {
        let profile: OwnProfile = try fields.required("user")
        switch type {
        case "publicGroupCreated":
            self.init(
                profile,
                .created(
                    try fields.required("groupInfo"), try fields.required("groupLink"), try fields.list("groupRelays"))
            )
        case "groupRelaysAdded":
            self.init(
                profile,
                .added(
                    try fields.required("groupInfo"), try fields.required("groupLink"), try fields.list("groupRelays"))
            )
        case "publicGroupCreationFailed": self.init(profile, .creationFailed(try fields.list("addRelayResults")))
        case "groupRelaysAddFailed": self.init(profile, .addingFailed(try fields.list("addRelayResults")))
        default: throw .invalid("type")
        }
    }
}

/// The relays of an own channel.
public struct ChannelRelays: SimpleResponse {
    public let profile: OwnProfile
    public let group: Group
    public let relays: [GroupRelay]

    public static let type = "groupRelays"

    init(_ profile: OwnProfile, _ group: Group, _ relays: [GroupRelay]) {
        self.profile = profile
        self.group = group
        self.relays = relays
    }

    public var fields: JSONObject {
        ["user": profile.json, "groupInfo": group.json, "groupRelays": .array(relays.map(\.json))]
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(try fields.required("user"), try fields.required("groupInfo"), try fields.list("groupRelays"))
    }
}
