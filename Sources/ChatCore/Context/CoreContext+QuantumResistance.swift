import AgentProtocol

/// The protection of messages by the post-quantum KEM.
extension CoreContext {
    /// Records that something has changed in the protection of a contact, and tells if that turns it on or off. Inside of a
    /// transaction the events are to be told after it.
    func changeProtection(
        of contact: Contact, _ change: (inout QuantumResistance) -> Void
    ) throws -> [any ChatEvent] {
        guard let connection = contact.connection else { return [] }
        var resistance = connection.quantumResistance
        change(&resistance)
        guard resistance != connection.quantumResistance else { return [] }
        try store.update(connection.id, resistance)
        guard resistance.isOn != connection.quantumResistance.isOn else { return [] }
        return [
            PostQuantumEvent(
                profile: try lookup.owner(contact.profileID), contact: try lookup.contact(contact.id),
                isOn: resistance.isOn)
        ]
    }

    /// The same in a transaction of its own.
    func noteProtection(of contact: Contact, _ change: (inout QuantumResistance) -> Void) throws {
        let events = try store.transaction { try changeProtection(of: try lookup.contact(contact.id), change) }
        for event in events { tell(event) }
    }
}
