public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Shows what connecting through a link would mean. Waits for a relay if the link is short, and makes a short invitation
/// usable for this profile only. (`/_connect plan 1 LINK`, `/connect plan LINK`)
public struct PlanConnection: ChatCommand {
    public var profile: ProfileID?
    public var link: String

    public init(_ profile: ProfileID?, link: String) {
        self.profile = profile
        self.link = link
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form.numbered(
            "/_connect plan", named: "/connect plan", \.profile, aliases: ["/c plan"],
            Argument<Self, String>.words("link", \.link), make: { Self($0, link: $1) }))

    public func perform(on core: isolated LocalCore) async throws -> PlannedConnection {
        let profile = try core.lookup.profile(profile)
        return PlannedConnection(profile: profile, plan: try await core.connector.plan(profile, link: link))
    }
}

/// What connecting through a link would mean.
public struct PlannedConnection: SimpleResponse {
    public let profile: OwnProfile
    public let plan: ConnectionPlan

    public static let type = "connectionPlan"

    public var fields: JSONObject {
        ["user": profile.json, "connLink": plan.link.json, "connectionPlan": plan.json]
    }

    init(profile: OwnProfile, plan: ConnectionPlan) {
        self.profile = profile
        self.plan = plan
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), plan: try fields.required("connectionPlan"))
    }
}
