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
        var probed = GroupConsequences()
        let consequences = try context.commit(event) {
            var events = try context.changeProtection(of: contact) { $0.protectsReceived = message.isPostQuantum }
            var items: [LocatedItem] = []
            if let connection = contact.connection { events += try connector.clearErrors(connection) }
            if let problem = ChatItem.IntegrityProblem(message.integrity), !contact.isBlocked {
                items.append(
                    try store.insertReceived(.integrity(problem), from: contact, at: message.relayTime, now: now))
            }
            for element in elements {
                if case .success(.chunk(let piece)) = element.content, !contact.isBlocked,
                    let item = try store.item(piece.messageID, .received, in: .direct(contact.id))
                {
                    events += try files.record(piece, of: item, profile)
                    continue
                }
                guard case .success(.message(let received)) = element.content else {
                    guard !contact.isBlocked else { continue }
                    try store.keep(element.bytes, from: contact.id, at: now)
                    if case .failure = element.content {
                        items.append(
                            try store.insertReceived(
                                .undecryptable(.malformed), from: contact, at: message.relayTime, now: now))
                    }
                    continue
                }
                try noteVersions(received.versions, of: contact)
                // SECURITY: nothing of a blocked contact is kept, except that it is gone.
                if contact.isBlocked, !received.event.endsContact { continue }
                switch received.event {
                case .update(let update):
                    let event = try recordUpdate(update, from: contact, profile, at: message.relayTime, &items)
                    if let event { events.append(event) }
                case .deletion(let deletion):
                    let event = try recordDeletion(deletion, from: contact, profile, at: message.relayTime)
                    if let event { events.append(event) }
                case .reaction(let reaction):
                    if let event = try recordReaction(
                        reaction, from: contact, profile, at: message.relayTime)
                    {
                        events.append(event)
                    }
                case .message(let container):
                    let item = try insertMessage(
                        container, received.id, from: contact, profile, at: message.relayTime)
                    if let item { items.append(item) }
                case .profile(let presented, _):
                    let update = try connector.recordProfile(presented, of: contact.id, profile, &items)
                    if let update { events.append(update) }
                case .contactDeleted:
                    left = try store.connections(of: contact.id)
                    try store.update(contact.id, status: .deleted, at: now)
                    for id in left { try store.update(id, status: .deleted, at: now) }
                    guard !contact.isBlocked else { continue }
                    items.append(
                        try store.insertReceived(
                            .contactDeleted, from: contact, isUnread: false, at: message.relayTime, now: now))
                    events.append(ContactLeftEvent(profile: profile, contact: try lookup.contact(contact.id)))
                case .call(let call):
                    let event = try calls.record(call, from: contact, profile, at: callTime(message), &items)
                    if let event { events += [event] + calls.changes(with: event) }
                case .probe(let probe, _):
                    try groups.record(probe, from: .contact(try lookup.contact(contact.id)), profile, &probed)
                    // It may have been merged with another contact.
                    contact = try lookup.contact(through: lookup.connection(event.connectionID)) ?? contact
                case .ok: break
                case .group(.invitation(let invitation), _):
                    let event = try groups.recordInvitation(
                        invitation, received.id, from: contact, profile, at: message.relayTime, &items)
                    if let event { events.append(event) }
                case .fileDescription(let part):
                    if let item = try store.item(part.messageID, .received, in: .direct(contact.id)) {
                        events += try files.record(part.description, of: item, profile)
                    }
                case .fileCancelled(let id, _):
                    if let item = try store.item(id, .received, in: .direct(contact.id)) {
                        events += try files.recordWithdrawal(of: item, profile)
                    }
                case .contactRequest, .group, .other:
                    try store.keep(element.bytes, from: contact.id, at: now)
                }
            }
            items += probed.items
            events += probed.events
            if !items.isEmpty { events.insert(NewItemsEvent(profile: profile, items: items), at: 0) }
            return events
        }
        if sender.wantsReceipt(elements, from: contact, profile) { try agent.confirm(event) }
        try groups.carryOut(probed)
        // Repeating this is not needed after a crash: an unused queue costs nothing but its place.
        for id in left where try agent.contains(id) { try agent.delete(id) }
        return consequences
    }

    /// When a call was made. SECURITY: a relay could date it so that it never ends.
    private func callTime(_ message: ReceivedMessage) -> Timestamp {
        min(message.relayTime, now + .seconds(60))
    }

    /// A message, unless it was received before under its id.
    private func insertMessage(
        _ container: MessageContainer, _ id: SharedMessageID?, from contact: Contact, _ profile: OwnProfile,
        at time: Timestamp
    ) throws -> LocatedItem? {
        if let id, try store.item(id, .received, in: .direct(contact.id)) != nil { return nil }
        if !profile.isHidden { context.counters.received += 1 }
        let located = try store.insertReceived(
            .message(container.content), from: contact, sharedID: id, quote: container.quote,
            isForwarded: container.isForwarded, ttl: expiry.acceptedTTL(container.ttl, from: contact),
            isLive: container.isLive, at: time, now: now)
        guard let file = container.file, Preferences.effect(.files, with: contact).other else { return located }
        try files.insert(file, of: located.item.id, container.content, for: contact.profileID)
        return LocatedItem(chat: located.chat, item: try lookup.item(located.item.id))
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
