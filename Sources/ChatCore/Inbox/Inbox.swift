import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import Store
import SystemIO

extension LocalCore {
    // MARK: - Events of the agent

    /// Records an event of the agent and what follows from it, once.
    func handle(_ event: AgentEvent) {
        guard context.failure == nil, event.id > lastEvent else { return }
        crashNote.during(event.id) {
            do {
                let consequences = try record(event)
                lastEvent = event.id
                try agent.forgetEvents(through: event.id)
                for consequence in consequences { tell(consequence) }
                releaseMemory()
            } catch {
                fail(event, error)
            }
        }
    }

    /// Frees the pages of both databases from time to time: each message writes new ones, which nobody reads again soon.
    private func releaseMemory() {
        handledEvents += 1
        guard handledEvents >= 512 else { return }
        handledEvents = 0
        store.database.releaseMemory()
        context.connectedAgent?.releaseMemory()
    }

    private func record(_ event: AgentEvent) throws -> [any ChatEvent] {
        guard let connection = try store.connection(event.connectionID),
            let profile = try store.profile(event.profileID)
        else { return try context.commit(event) { [] } }
        let known = try connection.contactID.map { try lookup.contact($0) }
        switch event.content {
        case .connection(.conf(let information, _)):
            return try recordConfirmation(event, connection, profile, information)
        case .connection(.req(let invitation, let information)):
            return try recordRequest(event, connection, profile, invitation, information)
        case .connection(.info(let information, _)):
            return try recordContact(event, connection, profile, information, status: .sendReady)
        case .connection(.joined):
            return try context.commit(event) {
                if connection.status == .prepared { try store.update(connection.id, status: .joined, at: now) }
                return []
            }
        case .connection(.con(let isPostQuantum)):
            return try recordReadiness(event, connection, profile, known, isPostQuantum: isPostQuantum)
        case .connection(.msg(let message)):
            guard let known else { return try context.commit(event) { [] } }
            return try recordMessage(event, message, from: known, profile)
        // Written by versions that did not know which message is meant.
        case .connection(.rcvd): return try context.commit(event) { [] }
        case .connection(.switching(let direction, let phase)):
            return try recordSwitch(event, direction, phase, known, profile)
        case .connection(.qcont):
            return try context.commit(event) {
                try clearErrors(connection)
                return []
            }
        case .connection(.rsync(let state)): return try recordSynchronization(event, state, known, profile)
        case .rcvd(let receipts): return try sender.recordReceipts(event, receipts, from: known, profile)
        case .sent(let token):
            return try sender.recordDelivery(event, token, .sendSent, to: known, profile) {
                try clearErrors(connection)
                return []
            }
        case .merr(let token, let problem):
            return try sender.recordDelivery(event, token, ChatItem.Status(problem), to: known, profile) {
                try countErrors(problem, connection, profile)
            }
        case .err(let problem):
            return try context.commit(event) {
                try store.update(connection.id, status: .failed, at: now)
                problems[connection.id] = problem
                let failed = try lookup.connection(connection.id)
                return [
                    ConnectionFailedEvent(profile: profile, connection: failed, contact: known, problem: problem)
                ]
            }
        case .unreadable(let problem):
            return try context.commit(event) {
                guard let known else {
                    let reason = "a message could not be read"
                    return [MessageUnusableEvent(profile: profile, connection: connection, reason: reason)]
                }
                let notice = ChatItem.Content.undecryptable(ChatItem.DecryptionProblem(problem))
                // A relay can make any number of messages that nobody can read.
                if try known.isBlocked
                    || store.isRepeated(notice, .received, in: .direct(known.id), isUnread: true, at: now)
                {
                    return []
                }
                let item = try insert(notice, from: known, at: now)
                return [NewItemsEvent(profile: profile, items: [item])]
            }
        }
    }

    // MARK: - Handshakes

    /// Somebody joined an invitation: says yes, and makes a contact of it.
    private func recordConfirmation(
        _ event: AgentEvent, _ connection: ContactConnection, _ profile: OwnProfile, _ information: Bytes
    ) throws -> [any ChatEvent] {
        if LocalCore.presentedProfile(in: information) != nil {
            do {
                try agent.allow(connection.id, information: try self.information(of: profile, as: connection.incognito))
            } catch AgentError.connection(.notReady) {
                // It was done before a crash.
            }
        }
        // Through a queue that has to be secured by its recipient messages go only after a greeting.
        let status: ContactConnection.Status = try agent.canSend(to: connection.id) ? .accepted : .requested
        return try recordContact(event, connection, profile, information, status: status)
    }

    private func recordContact(
        _ event: AgentEvent, _ connection: ContactConnection, _ profile: OwnProfile, _ information: Bytes,
        status: ContactConnection.Status
    ) throws -> [any ChatEvent] {
        try context.commit(event) {
            let known = LocalCore.presentedProfile(in: information)
            if let contactID = connection.contactID {
                try update(connection, contactID, known, status: status)
                return [ContactConnectingEvent(profile: profile, contact: try lookup.contact(contactID))]
            }
            guard let (versions, presented) = known else {
                let reason = "a handshake without a profile"
                return [MessageUnusableEvent(profile: profile, connection: connection, reason: reason)]
            }
            let wish =
                connection.wishedName ?? Profile.DisplayName.suggestion(for: presented.displayName)?.text ?? "contact"
            let id = try store.insertContact(
                presented, named: try store.freeName(wish, in: profile.id), of: profile.id, at: now)
            try store.update(connection.id, contact: id)
            try store.update(connection.id, status: status, at: now)
            try store.update(connection.id, version: AgreedChatVersion(peer: versions))
            return [ContactConnectingEvent(profile: profile, contact: try lookup.contact(id))]
        }
    }

    /// The contact of a request that was accepted answers, perhaps with a newer profile than it asked with.
    private func update(
        _ connection: ContactConnection, _ id: ContactID, _ presented: (VersionRange, Profile)?,
        status: ContactConnection.Status
    ) throws {
        try store.update(connection.id, status: status, at: now)
        guard let (versions, profile) = presented else { return }
        try store.update(connection.id, version: AgreedChatVersion(peer: versions))
        if try lookup.contact(id).profile != profile { try store.update(id, profile: profile, at: now) }
    }

    /// Both sides can send: a contact of the address is welcomed.
    private func recordReadiness(
        _ event: AgentEvent, _ connection: ContactConnection, _ profile: OwnProfile, _ known: Contact?,
        isPostQuantum: Bool
    ) throws -> [any ChatEvent] {
        var welcome: ChatItemID?
        var events = try context.commit(event) {
            try store.update(connection.id, status: .ready, at: now)
            var resistance = connection.quantumResistance
            (resistance.protectsSent, resistance.protectsReceived) = (isPostQuantum, isPostQuantum)
            try store.update(connection.id, resistance)
            welcome = try insertWelcome(connection, profile)
            return try known.map { [ContactConnectedEvent(profile: profile, contact: try lookup.contact($0.id))] } ?? []
        }
        if let welcome, let known {
            try sender.handOver(try lookup.item(welcome), of: try lookup.contact(known.id))
            events.append(NewItemsEvent(profile: profile, items: try lookup.locate([try lookup.item(welcome)])))
        }
        try presentAgain()
        return events
    }

    private static func presentedProfile(in information: Bytes) -> (VersionRange, Profile)? {
        for element in ChatPayload.elements(of: information) {
            if case .success(.message(let message)) = element.content, case .profile(let profile, _) = message.event {
                return (message.versions, profile.withBoundedImage)
            }
        }
        return nil
    }

}

extension ChatItem.DecryptionProblem {
    fileprivate init(_ problem: ReadingProblem) {
        self =
            switch problem {
            case .malformed: .malformed
            case .undecryptable: .message
            case .outOfSync: .ratchet
            }
    }
}
