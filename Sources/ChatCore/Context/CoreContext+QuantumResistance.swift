import AgentProtocol

extension LocalCore {
    /// Records that something has changed in the protection of a contact, and tells if that turns it on or off. Inside of a
    /// transaction the events are to be told after it.
    func noteWithin(
        _ contact: Contact, _ change: (inout QuantumResistance) -> Void
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
    func note(_ contact: Contact, _ change: (inout QuantumResistance) -> Void) throws {
        let events = try store.transaction { try noteWithin(try lookup.contact(contact.id), change) }
        for event in events { tell(event) }
    }
}
