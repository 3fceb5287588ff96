public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Changes who the user of an unused invitation is going to see: the profile, or one that is made up. Waits for a relay.
/// (`/_set incognito :5 on|off`)
public struct SetIncognito: ChatCommand {
    public var id: ConnectionID
    public var isOn: Bool

    public init(_ id: ConnectionID, _ isOn: Bool) {
        self.id = id
        self.isOn = isOn
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_set incognito", .pending(\.id), .isOn(\.isOn), make: Self.init))

    public func effect(of response: IncognitoChange) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> IncognitoChange {
        let (profile, connection) = try core.lookup.pending(id)
        return IncognitoChange(profile, try await core.connector.setIncognito(isOn, connection))
    }
}

/// An invitation behind which others see another profile than before.
public struct IncognitoChange: SimpleResponse {
    public let profile: OwnProfile
    public let connection: ContactConnection

    public static let type = "connectionIncognitoUpdated"

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json, "toConnection": connection.json]
        fields.set("customUserProfile", connection.incognito)
        return fields
    }

    init(_ profile: OwnProfile, _ connection: ContactConnection) {
        self.profile = profile
        self.connection = connection
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(try fields.required("user"), try fields.required("toConnection"))
    }
}
