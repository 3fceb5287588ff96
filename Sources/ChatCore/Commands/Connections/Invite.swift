public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Creates a one-time invitation. Waits for a relay. (`/_connect 1 [incognito=on] [as='NAME']`, `/connect [incognito]`)
///
/// Incognito, a profile is made up for the connection, and the other side never hears of the own one.
public struct Invite: ChatCommand {
    public var profile: ProfileID?
    /// The name that the contact is going to have here.
    public var name: String?
    public var isIncognito: Bool

    public init(_ profile: ProfileID?, name: String?, isIncognito: Bool = false) {
        self.profile = profile
        self.name = name
        self.isIncognito = isIncognito
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form.numbered(
            "/_connect", named: "/connect", \.profile, aliases: ["/c"], .incognito(\.isIncognito),
            Argument<Self, String?>.name("as", \.name), .lateIncognito,
            make: { profile, isIncognito, name, isLate in
                Self(profile, name: name, isIncognito: isIncognito || isLate)
            }))

    public func effect(of response: Invitation) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> Invitation {
        try await core.connector.invite(try core.lookup.profile(profile), name: name, isIncognito: isIncognito)
    }
}

/// A new link, and the connection that waits behind it.
public struct Invitation: SimpleResponse {
    public let profile: OwnProfile
    public let link: LinkText
    public let connection: ContactConnection

    public static let type = "invitation"

    public var fields: JSONObject {
        ["user": profile.json, "connLinkInvitation": link.json, "connection": connection.json]
    }

    init(profile: OwnProfile, link: LinkText, connection: ContactConnection) {
        self.profile = profile
        self.link = link
        self.connection = connection
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            profile: try fields.required("user"), link: try fields.required("connLinkInvitation"),
            connection: try fields.required("connection"))
    }
}

extension Argument where Value == Bool {
    /// `incognito=on`, or for people `incognito` before something else; nothing for no.
    static func incognito(_ value: @escaping @Sendable (Command) -> Bool) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in reader.isIncognito() },
            write: { value($0) ? "incognito=on" : "" })
    }
}

extension Argument where Command == Invite, Value == Bool {
    /// `incognito` as the last word.
    fileprivate static var lateIncognito: Argument {
        Argument(
            read: { reader throws(DecodeError) in
                if reader.isAtEnd { return false }
                guard ["incognito", "i"].contains(reader.rest()) else { throw .trailing }
                return true
            }, write: { _ in "" })
    }
}
