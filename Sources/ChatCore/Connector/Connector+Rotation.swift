import Agent
import AgentProtocol
import ChatProtocol
import SMPProtocol

/// Rotation of queues, ratchet synchronisation, and connections that relays refuse.
extension Connector {
    // MARK: - Events

    /// Records a phase of a rotation. The conversation gets notices of its start and its end.
    func recordSwitch(
        _ event: AgentEvent, _ direction: QueueDirection, _ phase: SwitchPhase, _ known: Contact?, _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        let condition = try condition(of: event.connectionID)
        return try context.commit(event) {
            try store.setMoving(phase.isUnderWay, direction, event.connectionID)
            // A blocked contact could fill the conversation.
            guard let known = try known.map({ try lookup.contact($0.id) }), !known.isBlocked else { return [] }
            var events: [any ChatEvent] = [
                QueueSwitchedEvent(
                    profile: profile, contact: known, direction: direction, phase: phase, condition: condition)
            ]
            switch phase {
            case .started, .completed, .aborted:
                let item = try store.insertNotice(
                    .queueSwitch(direction, phase), direction == .receiving ? .sent : .received, in: .direct(known.id),
                    isUnread: direction == .sending, at: now)
                if let item {
                    let located = LocatedItem(chat: .direct(known), item: try lookup.item(item))
                    events.append(NewItemsEvent(profile: profile, items: [located]))
                }
            case .confirmed, .secured: break
            }
            return events
        }
    }

    /// Records the state of a ratchet synchronisation. A new ratchet has another security code, which is told to the user:
    /// another person may have answered.
    func recordSynchronization(
        _ event: AgentEvent, _ state: RatchetSynchronization, _ known: Contact?, _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        let condition = try condition(of: event.connectionID)
        let events: [any ChatEvent] = try context.commit(event) {
            try store.update(event.connectionID, state)
            if state == .agreed, let known { try store.noteCodeChange(of: known.id, at: now) }
            guard let known = try known.map({ try lookup.contact($0.id) }) else { return [] }
            let event = RatchetSynchronizedEvent(
                profile: profile, contact: known, state: state, condition: condition)
            // The message that could not be decrypted stands there already.
            guard state != .allowed else { return [event] }
            // A blocked contact could fill the conversation.
            guard !known.isBlocked else { return [] }
            var items = [
                try store.insertNotice(
                    .synchronization(state), state == .started ? .sent : .received, in: .direct(known.id),
                    isUnread: state == .required, at: now)
            ]
            if state == .agreed {
                items.append(
                    try store.insertNotice(
                        .securityCodeChanged, .received, in: .direct(known.id), isUnread: true, at: now))
            }
            let located = try items.compactMap(\.self).map {
                LocatedItem(chat: .direct(known), item: try lookup.item($0))
            }
            return located.isEmpty ? [event] : [event, NewItemsEvent(profile: profile, items: located)]
        }
        // Messages that were written meanwhile wait here: nothing could be encrypted for the contact.
        if state == .ok, let known {
            try conversations.retryPendingMessages(to: known.id)
            try tellChangedProfiles()
        }
        return events
    }

    func condition(of id: ConnectionID) throws -> ConnectionCondition? {
        do {
            return try agent.condition(of: id)
        } catch AgentError.unknownConnection {
            return nil
        }
    }

    // MARK: - Errors

    /// Counts refusals in a row, inside of a transaction. The last one that is tolerated ends the attempts.
    func countErrors(_ problem: DeliveryProblem, _ connection: ContactConnection, _ profile: OwnProfile) throws
        -> [any ChatEvent]
    {
        switch problem {
        case .refused:
            try store.countAuthError(of: connection.id)
            guard connection.authErrorCount + 1 == ContactConnection.mostAuthErrors,
                let contact = try connection.contactID.map({ try lookup.contact($0) })
            else { return [] }
            return [ContactDisabledEvent(profile: profile, contact: contact)]
        case .full:
            try store.setInactive(connection.id)
            return connection.isInactive ? [] : try lookup.activity(of: connection.id)
        case .blocked, .expired, .unsendable: return []
        }
    }

    /// The contact's queue took a message, or the contact wrote.
    @discardableResult
    func clearErrors(_ connection: ContactConnection) throws -> [any ChatEvent] {
        guard connection.authErrorCount > 0 || connection.quotaErrorCount > 0 else { return [] }
        try store.clearErrors(of: connection.id)
        return connection.isInactive ? try lookup.activity(of: connection.id) : []
    }

    /// The relay does not let a connection receive. The first time it stands in the conversation.
    func recordRefusal(_ id: ConnectionID, _ error: ProtocolError) throws {
        guard error == .authorization, context.failure == nil, let connection = try store.connection(id),
            !connection.isRefused,
            connection.status != .failed, connection.status != .deleted,
            let contact = try connection.contactID.map({ try lookup.contact($0) })
        else { return }
        let event: NewItemsEvent? = try store.transaction {
            try store.setRefused(true, id)
            let item = try store.insertNotice(
                .queueRefused, .received, in: .direct(contact.id), isUnread: true, at: now)
            guard let item else { return nil }
            let located = LocatedItem(chat: .direct(contact), item: try lookup.item(item))
            let event = NewItemsEvent(profile: try lookup.owner(contact.profileID), items: [located])
            try context.hooks.note([event], at: now)
            return event
        }
        if let event { tell(event) }
    }
}

extension SwitchPhase {
    /// True if further phases follow.
    var isUnderWay: Bool {
        switch self {
        case .started, .confirmed, .secured: true
        case .completed, .aborted: false
        }
    }
}

extension Lookup {
    /// The event for a connection that became inactive, or active again; none for one without a contact or member.
    func activity(of id: ConnectionID) throws -> [any ChatEvent] {
        guard let connection = try store.connection(id) else { return [] }
        var person: ConnectionInactiveEvent.Owner?
        if let contact = try connection.contactID.flatMap({ try store.contact($0) }), contact.connection?.id == id {
            person = .contact(contact)
        } else if let member = try connection.memberID.flatMap({ try store.member($0) }), member.connection?.id == id,
            let group = try store.group(member.groupID)
        {
            person = .member(member, group)
        }
        guard let person else { return [] }
        return [
            ConnectionInactiveEvent(
                profile: try owner(connection.profileID), person: person, isInactive: connection.isInactive)
        ]
    }
}
