import AgentProtocol

/// Enables or disables post-quantum keys for a contact, from the next message of each side. (`/_pq @1 on`, `/pq @name off`)
public struct SetPostQuantum: ChatCommand {
    public var chat: ChatTarget
    public var isWanted: Bool

    public init(_ chat: ChatTarget, _ isWanted: Bool) {
        self.chat = chat
        self.isWanted = isWanted
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_pq", .chat(\.chat), .isOn(\.isWanted), make: Self.init),
        Form("/pq", .chat(\.chat), .isOn(\.isWanted), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ContactInfo {
        let contact = try core.lookup.contact(chat)
        guard let connection = contact.connection else { throw ChatError.contactNotActive(contact.name) }
        var resistance = connection.quantumResistance
        resistance.isWanted = isWanted
        try core.store.transaction { try core.store.update(connection.id, resistance) }
        return try core.lookup.info(contact.id)
    }
}
