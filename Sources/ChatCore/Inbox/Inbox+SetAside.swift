import Agent
import AgentProtocol
import ChatProtocol
import Store
import SystemIO

/// Events that cannot be recorded: after the second failure they are set aside, so that nothing waits behind them.
extension Inbox {
    /// The number of failures after which an event is set aside.
    private static let mostFailures = 2

    /// Reacts to a failure at an event: sets the event aside, or stops recording.
    func fail(_ event: AgentEvent, _ error: any Error) {
        do {
            let agent = try agent
            guard !CoreContext.isStorageFailure(error), try agent.noteFailure(ofEvent: event.id) >= Inbox.mostFailures
            else {
                // From now on nothing is recorded: the events stay with the agent until the next start.
                context.failure = ChatError(error)
                return try agent.stop()
            }
            lastEvent = event.id
            try setAside(event.id, event.connectionID, agent)
        } catch {
            context.failure = context.failure ?? ChatError(error)
        }
    }

    /// Counts the event that a former process was handling, or the message that it was reading, when it ended by a fault.
    func noteCrash(_ agent: any CoreAgent) throws {
        guard let id = try crashNote.read() else { return }
        if id < 0 {
            try agent.noteCrash(reading: id)
        } else if id > lastEvent, try agent.noteFailure(ofEvent: id) >= Inbox.mostFailures {
            try setAside(id, try agent.connectionID(ofEvent: id), agent)
        }
        // Only now: a crash before counts it again, which is no worse.
        try crashNote.clear()
    }

    private func setAside(_ id: Int64, _ connectionID: ConnectionID?, _ agent: any CoreAgent) throws {
        try agent.setAside(id)
        try tellSetAside(id, connectionID)
    }

    /// Inserts a notice about an event that was set aside, and tells it. Does nothing if that fails as the event did.
    func tellSetAside(_ id: Int64, _ connectionID: ConnectionID?) throws {
        do {
            for event in try store.transaction({ try noteSetAside(id, connectionID) }) { tell(event) }
        } catch {
            guard !CoreContext.isStorageFailure(error) else { throw error }
        }
    }

    private func noteSetAside(_ id: Int64, _ connectionID: ConnectionID?) throws -> [any ChatEvent] {
        guard let connection = try connectionID.flatMap({ try store.connection($0) }),
            let profile = try store.profile(connection.profileID)
        else { return [] }
        let reason = "event \(id) could not be handled twice, and was set aside"
        var events: [any ChatEvent] = [
            MessageUnusableEvent(profile: profile, connection: connection, reason: reason)
        ]
        if let contact = try connection.contactID.flatMap({ try store.contact($0) }), !contact.isBlocked {
            let item = try store.insertReceived(.undecryptable(.malformed), from: contact, at: now, now: now)
            events.append(NewItemsEvent(profile: profile, items: [item]))
        }
        try context.hooks.note(events, at: now)
        return events
    }
}
