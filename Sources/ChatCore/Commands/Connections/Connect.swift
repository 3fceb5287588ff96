public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Joins through a link. The same link again goes on with the connection that it began. The connection is on disk when the
/// answer comes; the relay is asked later. (`/_connect 1 [incognito=on] [as='NAME'] LINK`, `/connect [incognito] LINK`)
public struct Connect: ChatCommand {
    public var profile: ProfileID?
    public var link: String
    /// The name that the contact is going to have here.
    public var name: String?
    public var isIncognito: Bool

    public init(_ profile: ProfileID?, link: String, name: String?, isIncognito: Bool = false) {
        self.profile = profile
        self.link = link
        self.name = name
        self.isIncognito = isIncognito
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form.numbered(
            "/_connect", named: "/connect", \.profile, aliases: ["/c"], .incognito(\.isIncognito),
            Argument<Self, String?>.name("as", \.name),
            Argument<Self, String>.words("link", besides: ["incognito", "as=", "plan"], \.link),
            make: { profile, isIncognito, name, link in
                Self(profile, link: link, name: name, isIncognito: isIncognito)
            }))

    public func effect(of response: StartedConnection) -> SessionEffect? {
        .visible(response.profile, .listsChanged)
    }

    public func perform(on core: isolated LocalCore) async throws -> StartedConnection {
        try core.connector.connect(try core.lookup.profile(profile), link: link, name: name, isIncognito: isIncognito)
    }
}

/// A connection that this side has begun through a link.
public struct StartedConnection: ChatResponse {
    public let profile: OwnProfile
    public let connection: ContactConnection
    /// True if the link is an invitation, false if it is an address, whose owner is asked.
    public let isInvitation: Bool

    public var type: String { isInvitation ? "sentConfirmation" : "sentInvitation" }

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json, "connection": connection.json]
        fields.set("customUserProfile", connection.incognito)
        return fields
    }

    init(profile: OwnProfile, connection: ContactConnection, isInvitation: Bool) {
        self.profile = profile
        self.connection = connection
        self.isInvitation = isInvitation
    }

    public init(type: String, from fields: inout JSONFields) throws(DecodeError) {
        guard type == "sentConfirmation" || type == "sentInvitation" else { throw .invalid("type") }
        self.init(
            profile: try fields.required("user"), connection: try fields.required("connection"),
            isInvitation: type == "sentConfirmation")
    }
}
