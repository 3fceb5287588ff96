import Agent

/// Shows a contact, the queues of its connection, and who this side is to it. (`/_info @4`)
public struct ShowConnection: ChatCommand {
    public var contact: ContactID

    public init(_ contact: ContactID) {
        self.contact = contact
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_info", .contactID(\.contact), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ContactInfo {
        let contact = try core.lookup.contact(.reference(.direct(contact)))
        let profile = try core.lookup.profile(contact.profileID)
        guard let connection = contact.connection, connection.status != .failed else {
            return ContactInfo(profile, contact)
        }
        do {
            return ContactInfo(profile, contact, try core.agent.condition(of: connection.id))
        } catch AgentError.unknownConnection {
            return ContactInfo(profile, contact)
        }
    }
}
