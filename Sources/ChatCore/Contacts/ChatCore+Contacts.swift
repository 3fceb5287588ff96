import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store

/// What is decided about a contact on this side.
extension LocalCore {
    /// Gives a contact another name here. The contact does not learn it.
    func rename(_ chat: ChatTarget, _ name: String) throws -> CoreResponse {
        _ = try agent
        let contact = try contact(chat)
        do throws(ProfileError) {
            _ = try Profile.DisplayName(name)
        } catch {
            throw ChatError.invalidName(name, suggestion: Profile.DisplayName.suggestion(for: name)?.text)
        }
        try store.transaction {
            guard name != contact.name else { return }
            guard try !store.isTaken(name, in: contact.profileID) else { throw ChatError.nameTaken(name) }
            try store.free(contact.name, in: contact.profileID)
            try store.take(name, in: contact.profileID)
            try store.rename(contact.id, name, at: now)
        }
        return .contact(try profile(contact.profileID), try self.contact(contact.id))
    }

    func setMuted(_ chat: ChatTarget, _ isMuted: Bool) throws -> CoreResponse {
        _ = try agent
        let contact = try contact(chat)
        try store.transaction { try store.setMuted(isMuted, contact.id) }
        return .contact(try profile(contact.profileID), try self.contact(contact.id))
    }

    /// Throws away what comes from a contact from now on, or no longer. The contact is not told.
    func setBlocked(_ chat: ChatTarget, _ isBlocked: Bool) throws -> CoreResponse {
        _ = try agent
        let contact = try contact(chat)
        try store.transaction { try store.setBlocked(isBlocked, contact.id) }
        return .contact(try profile(contact.profileID), try self.contact(contact.id))
    }

    // MARK: - The security code

    func securityCode(_ chat: ChatTarget) throws -> CoreResponse {
        let contact = try contact(chat)
        return .securityCode(try profile(contact.profileID), contact, try code(of: contact))
    }

    /// Compares the code with what the other side has; nil forgets that it was compared.
    func verify(_ chat: ChatTarget, _ text: String?) throws -> CoreResponse {
        let contact = try contact(chat)
        let code = try code(of: contact)
        let isRight = text.map { code.matches($0) } ?? false
        let verification = isRight ? Contact.Verification(code: code.text, verifiedAt: now) : nil
        // A code that does not fit says nothing about one that did: only who wants to forget it does.
        if isRight || text == nil { try store.transaction { try store.setVerification(verification, contact.id) } }
        return .verified(try profile(contact.profileID), try self.contact(contact.id), isRight: isRight, code)
    }

    private func code(of contact: Contact) throws -> SecurityCode {
        guard let connection = contact.connection else { throw ChatError.contactNotActive(contact.name) }
        guard let hash = try agent.securityHash(of: connection.id), let code = try? SecurityCode(hash: hash) else {
            throw ChatError.contactNotReady(contact.name)
        }
        return code
    }

    // MARK: - Deleting

    /// Deletes a contact, or what was said with it.
    func delete(_ chat: ChatTarget, _ mode: ContactDeletion, notifies: Bool) async throws -> CoreResponse {
        let agent = try agent
        let contact = try contact(chat), profile = try profile(contact.profileID)
        guard mode != .messages else {
            try store.transaction { try store.clearChat(of: contact.id) }
            try forgetLog()
            try scheduleExpiry()
            return .contactDeleted(profile, contact)
        }
        if notifies, contact.isReady, let connection = contact.connection { try sayGoodbye(connection, agent) }
        let ids = try store.connections(of: contact.id)
        try store.transaction {
            try store.discardConnections(of: contact.id, at: now)
            switch mode {
            case .entity: try store.update(contact.id, status: .deletedByUser, at: now)
            case .full, .messages:
                try store.removeContact(contact.id)
                try store.free(contact.name, in: contact.profileID)
            }
        }
        try noteHome(of: profile)
        try await giveUp(ids, agent)
        return .contactDeleted(profile, contact)
    }

    /// Tells a contact that this side is going to be gone.
    private func sayGoodbye(_ connection: ContactConnection, _ agent: Agent) throws {
        let id = newSharedID()
        let message = ChatMessage(id: id, event: .contactDeleted)
        do {
            let bytes = try ChatPayload.prepare(message.encoded, for: .connection, postQuantum: true)
            try agent.send(bytes, notifies: false, token: id.bytes, to: connection.id)
        } catch AgentError.connection, AgentError.unknownConnection {
            // Nothing can be told any more.
        } catch AgentError.store(let error) where error.isUnreadableValue {
            // Nor where the records of the connection cannot be read.
        }
    }

    /// Removes what relays keep for connections, as far as they let it at once; the rest is left to the next fetch.
    private func giveUp(_ ids: [ConnectionID], _ agent: Agent) async throws {
        for id in ids where try agent.contains(id) {
            try agent.delete(id)
            agent.deliver(id)
        }
        _ = await wait(agent, LocalCore.patience) { agent.hasTriedAll }
        for id in ids { try forget(id) }
    }
}
