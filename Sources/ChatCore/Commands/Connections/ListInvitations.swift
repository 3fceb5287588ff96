public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Lists the connections without a contact. (`/_invitations 1`, `/invitations`)
public struct ListInvitations: ChatCommand {
    public var profile: ProfileID?

    public init(_ profile: ProfileID?) {
        self.profile = profile
    }

    public static let access = Access.read
    public static let syntax = Syntax(numbered: "invitations", \.profile, make: Self.init)

    public func perform(on core: isolated LocalCore) async throws -> InvitationList {
        let profile = try core.lookup.profile(profile)
        return InvitationList(profile: profile, connections: try core.store.pendingConnections(of: profile.id))
    }
}

/// The connections of a profile that have no contact yet.
public struct InvitationList: SimpleResponse {
    public let profile: OwnProfile
    public let connections: [ContactConnection]

    public static let type = "contactConnections"

    public var fields: JSONObject {
        ["user": profile.json, "connections": .array(connections.map(\.json))]
    }

    init(profile: OwnProfile, connections: [ContactConnection]) {
        self.profile = profile
        self.connections = connections
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), connections: try fields.list("connections"))
    }
}
