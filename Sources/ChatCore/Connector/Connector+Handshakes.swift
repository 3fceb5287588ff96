import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol

/// Handshakes: connections become contacts.
extension Connector {
    /// Answers the joiner of an invitation, and makes a contact of it.
    func recordConfirmation(
        _ event: AgentEvent, _ connection: ContactConnection, _ profile: OwnProfile, _ information: Bytes
    ) throws -> [any ChatEvent] {
        if Connector.presentedProfile(in: information) != nil {
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

    func recordContact(
        _ event: AgentEvent, _ connection: ContactConnection, _ profile: OwnProfile, _ information: Bytes,
        status: ContactConnection.Status
    ) throws -> [any ChatEvent] {
        try context.commit(event) {
            let known = Connector.presentedProfile(in: information)
            if let contactID = connection.contactID {
                try update(connection, contactID, known, status: status)
                let contact = try lookup.contact(contactID)
                let connecting = ContactConnectingEvent(profile: profile, contact: contact)
                guard status == .sendReady else { return [connecting] }
                return [connecting, ContactSendReadyEvent(profile: profile, contact: contact)]
            }
            guard let (versions, presented) = known else {
                let reason = "a handshake without a profile"
                return [MessageUnusableEvent(profile: profile, connection: connection, reason: reason)]
            }
            let suggestion =
                connection.requestedName ?? Profile.DisplayName.localName(for: presented.displayName)
                ?? "contact"
            let id = try store.insertContact(
                presented, named: try store.freeName(suggestion, in: profile.id), of: profile.id, at: now)
            try store.update(connection.id, contact: id)
            if !connection.alias.isEmpty { try store.setAlias(connection.alias, id) }
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

    /// The relay of the other side has the confirmation. If its queue is secured, messages may follow at once.
    func recordJoining(
        _ event: AgentEvent, _ connection: ContactConnection, _ profile: OwnProfile, _ known: Contact?
    ) throws -> [any ChatEvent] {
        try context.commit(event) {
            guard connection.status == .prepared else { return [] }
            // A request to an address may still be rejected.
            guard let known, try store.requestKey(of: connection.id) == nil || connection.version != nil,
                try agent.canSend(to: connection.id)
            else {
                try store.update(connection.id, status: .joined, at: now)
                return []
            }
            try store.update(connection.id, status: .sendReady, at: now)
            return [ContactSendReadyEvent(profile: profile, contact: try lookup.contact(known.id))]
        }
    }

    /// Both sides can send: a contact of the address is welcomed.
    func recordReadiness(
        _ event: AgentEvent, _ connection: ContactConnection, _ profile: OwnProfile, _ known: Contact?,
        isPostQuantum: Bool
    ) throws -> [any ChatEvent] {
        var welcome: ChatItemID?
        var events = try context.commit(event) {
            try store.update(connection.id, status: .ready, at: now)
            var resistance = connection.quantumResistance
            (resistance.protectsSent, resistance.protectsReceived) = (isPostQuantum, isPostQuantum)
            try store.update(connection.id, resistance)
            if let known { try insertFirstItems(of: known, isPostQuantum: isPostQuantum) }
            welcome = try insertWelcome(connection, profile)
            if let known, connection.isInitiated { try greet(try lookup.contact(known.id)) }
            return try known.map { [ContactConnectedEvent(profile: profile, contact: try lookup.contact($0.id))] } ?? []
        }
        if let welcome, let known {
            try conversations.handOver(try lookup.item(welcome), of: try lookup.contact(known.id))
            events.append(NewItemsEvent(profile: profile, items: try lookup.locate([try lookup.item(welcome)])))
        }
        // What was written while the contact was prepared, and the welcome message that it has already.
        if let known { try conversations.retryPendingMessages(to: known.id) }
        try tellChangedProfiles()
        return events
    }

    /// Records that a connection could not be made or is lost.
    func recordFailure(
        _ event: AgentEvent, _ problem: ConnectionProblem, _ connection: ContactConnection, _ known: Contact?,
        _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        try context.commit(event) {
            try store.update(connection.id, status: .failed, at: now)
            problems[connection.id] = problem
            let failed = try lookup.connection(connection.id)
            return [ConnectionFailedEvent(profile: profile, connection: failed, contact: known, problem: problem)]
        }
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
