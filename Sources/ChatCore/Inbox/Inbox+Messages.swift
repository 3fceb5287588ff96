import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import SMPClient
import SMPProtocol

extension Inbox {
    /// Records a message of a contact: its content, or a change of the contact.
    func recordMessage(
        _ event: AgentEvent, _ message: ReceivedMessage, from known: Contact, _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        let elements = ChatPayload.elements(of: message.body)
        var contact = known
        var left: [ConnectionID] = []
        var consequences = GroupConsequences()
        let events = try context.commit(event) {
            consequences.events = try context.changeProtection(of: contact) {
                $0.protectsReceived = message.isPostQuantum
            }
            if let connection = contact.connection { consequences.events += try connector.clearErrors(connection) }
            if let problem = ChatItem.IntegrityProblem(message.integrity), !contact.isBlocked {
                consequences.items.append(
                    try store.insertReceived(.integrity(problem), from: contact, at: message.relayTime, now: now))
            }
            for element in elements {
                if case .success(.chunk(let piece)) = element.content, !contact.isBlocked,
                    let item = try store.item(piece.messageID, .received, in: .direct(contact.id))
                {
                    consequences.events += try files.record(piece, of: item, profile)
                    continue
                }
                guard case .success(.message(let received)) = element.content else {
                    guard !contact.isBlocked else { continue }
                    try store.keep(element.bytes, from: contact.id, at: now)
                    if case .failure = element.content {
                        consequences.items.append(
                            try store.insertReceived(
                                .undecryptable(.malformed), from: contact, at: message.relayTime, now: now))
                    }
                    continue
                }
                try noteVersions(received.versions, of: contact)
                // SECURITY: nothing of a blocked contact is kept, except that it is gone.
                if contact.isBlocked, !received.event.endsContact { continue }
                switch received.event {
                case .message, .update, .deletion, .reaction, .fileDescription, .fileCancelled:
                    do {
                        _ = try conversations.recordContent(
                            IncomingMessage(received, from: contact, profile, at: message.relayTime), &consequences)
                    } catch is GroupRefusal {
                        // What a contact may not do changes nothing.
                    }
                case .profile(let presented, _):
                    let update = try connector.recordProfile(presented, of: contact.id, profile, &consequences.items)
                    if let update { consequences.events.append(update) }
                case .contactDeleted:
                    left = try store.connections(of: contact.id)
                    try store.update(contact.id, status: .deleted, at: now)
                    for id in left { try store.update(id, status: .deleted, at: now) }
                    guard !contact.isBlocked else { continue }
                    consequences.items.append(
                        try store.insertReceived(
                            .contactDeleted, from: contact, isUnread: false, at: message.relayTime, now: now))
                    consequences.events.append(
                        ContactLeftEvent(profile: profile, contact: try lookup.contact(contact.id)))
                case .call(let call):
                    let event = try calls.record(
                        call, from: contact, profile, at: callTime(message), &consequences.items)
                    if let event { consequences.events += [event] + calls.changes(with: event) }
                case .probe(let probe, _):
                    try groups.record(probe, from: .contact(try lookup.contact(contact.id)), profile, &consequences)
                    // It may have been merged with another contact.
                    contact = try lookup.contact(through: lookup.connection(event.connectionID)) ?? contact
                case .ok: break
                case .group(.invitation(let invitation), _):
                    let event = try groups.recordInvitation(
                        invitation, received.id, from: contact, profile, at: message.relayTime, &consequences.items)
                    if let event { consequences.events.append(event) }
                case .contactRequest, .group, .other:
                    try store.keep(element.bytes, from: contact.id, at: now)
                }
            }
            return groups.events(of: consequences, profile)
        }
        if conversations.wantsReceipt(elements, in: .direct(contact), profile) { try agent.confirm(event) }
        try groups.carryOut(consequences)
        // Repeating this is not needed after a crash: an unused queue costs nothing but its place.
        for id in left where try agent.contains(id) { try agent.delete(id) }
        return events
    }

    /// When a call was made. SECURITY: a relay could date it so that it never ends.
    private func callTime(_ message: ReceivedMessage) -> Timestamp {
        min(message.relayTime, now + .seconds(60))
    }

    private func noteVersions(_ versions: VersionRange, of contact: Contact) throws {
        guard let connection = contact.connection, var agreed = connection.version else { return }
        if agreed.update(peer: versions) { try store.update(connection.id, version: agreed) }
    }

}

extension ChatMessage.Event {
    /// True if the sender says that it is no longer a contact.
    fileprivate var endsContact: Bool {
        if case .contactDeleted = self { true } else { false }
    }
}

extension ChatItem.IntegrityProblem {
    /// Nil if all is well.
    fileprivate init?(_ integrity: MessageIntegrity) {
        switch integrity {
        case .ok: return nil
        case .skipped(let first, let last): self = .skipped(from: first, to: last)
        case .badNumber(let last): self = .badNumber(last)
        case .badHash: self = .badHash
        case .duplicate: self = .duplicate
        }
    }
}
