public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Lists the servers of a profile. (`/_servers 1`, `/smp`)
public struct ListServers: ChatCommand {
    public var profile: ProfileID?

    public init(_ profile: ProfileID?) {
        self.profile = profile
    }

    public static let access = Access.read
    public static let syntax = Syntax(Form.numbered("/_servers", named: "/smp", \.profile, make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ServerList {
        let profile = try core.lookup.profile(profile)
        return ServerList(profile: profile, groups: try core.servers.groups(of: profile.id))
    }
}

/// The servers of a profile, by operator.
public struct ServerList: SimpleResponse {
    public let profile: OwnProfile
    public let groups: [OperatorServers]

    public static let type = "userServers"

    public var fields: JSONObject { ["user": profile.json, "userServers": .array(groups.map(\.json))] }

    init(profile: OwnProfile, groups: [OperatorServers]) {
        self.profile = profile
        self.groups = groups
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), groups: try fields.list("userServers"))
    }
}
