public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Replaces an unused invitation by one of another profile. Its links change. Waits for relays. (`/_set conn user :5 2`)
public struct MoveConnection: ChatCommand {
    public var id: ConnectionID
    public var profile: ProfileID

    public init(_ id: ConnectionID, to profile: ProfileID) {
        self.id = id
        self.profile = profile
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_set conn user", .pending(\.id), .profile(\.profile), make: { Self($0, to: $1) }))

    public func effect(of response: MovedConnection) -> SessionEffect? {
        .visible(response.newProfile, .listsChanged)
    }

    public func perform(on core: isolated LocalCore) async throws -> MovedConnection {
        let (former, connection) = try core.lookup.pending(id), profile = try core.lookup.profile(profile)
        return MovedConnection(
            former, from: connection, profile, to: try await core.connector.move(connection, to: profile))
    }
}

/// An invitation that was replaced by one of another profile.
public struct MovedConnection: SimpleResponse {
    public let profile: OwnProfile
    public let former: ContactConnection
    public let newProfile: OwnProfile
    public let connection: ContactConnection

    public static let type = "connectionUserChanged"

    public var fields: JSONObject {
        [
            "user": profile.json, "fromConnection": former.json, "toConnection": connection.json,
            "newUser": newProfile.json,
        ]
    }

    init(
        _ profile: OwnProfile, from former: ContactConnection, _ newProfile: OwnProfile,
        to connection: ContactConnection
    ) {
        self.profile = profile
        self.former = former
        self.newProfile = newProfile
        self.connection = connection
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            try fields.required("user"), from: try fields.required("fromConnection"), try fields.required("newUser"),
            to: try fields.required("toConnection"))
    }
}
