import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store

/// Contacts: security codes and deletion.
extension Connector {
    func securityCode(of contact: Contact) throws -> SecurityCode {
        guard let connection = contact.connection else { throw ChatError.contactNotActive(contact.name) }
        return try securityCode(of: connection.id, with: contact.name)
    }

    /// The security code of a connection with a contact or a member.
    func securityCode(of id: ConnectionID, with name: String) throws -> SecurityCode {
        guard let hash = try agent.securityHash(of: id), let code = try? SecurityCode(hash: hash) else {
            throw ChatError.contactNotReady(name)
        }
        return code
    }

    // MARK: - Deleting

    /// Deletes a contact, whose messages may stay.
    func delete(_ contact: Contact, keepingMessages: Bool, notifies: Bool) async throws {
        let agent = try agent, profile = try lookup.profile(contact.profileID)
        if notifies, contact.isReady, let connection = contact.connection { try tellDeletion(connection, agent) }
        let ids = try store.connections(of: contact.id)
        try store.transaction {
            try store.discardConnections(of: contact.id, at: now)
            if keepingMessages {
                try store.update(contact.id, status: .deletedByUser, at: now)
            } else {
                // A member of a group keeps the name that it shares.
                let isMember = try !store.memberships(of: contact.id).isEmpty
                let presented = contact.choices.presentedName
                if !isMember { try store.setPresentedName(nil, of: contact) }
                try store.removeContact(contact.id)
                if !isMember || presented != nil { try store.free(contact.name, in: contact.profileID) }
            }
        }
        try tellHomeChange(of: profile)
        try await discard(ids, agent)
    }

    /// Tells a contact that this side is going to be gone.
    private func tellDeletion(_ connection: ContactConnection, _ agent: any CoreAgent) throws {
        let id = conversations.newSharedID()
        let message = ChatMessage(id: id, event: .contactDeleted)
        do {
            let bytes = try ChatPayload.prepare(message.encoded, for: .connection, postQuantum: true)
            try agent.send(bytes, notifies: false, token: id.bytes, to: connection.id)
        } catch AgentError.connection, AgentError.unknownConnection {
            // The contact cannot be told.
        } catch AgentError.store(let error) where error.isUnreadableValue {
            // Nor where the records of the connection cannot be read.
        }
    }

    /// Removes what relays keep for connections, as far as they let it at once; the rest is left to the next fetch.
    private func discard(_ ids: [ConnectionID], _ agent: any CoreAgent) async throws {
        for id in ids where try agent.contains(id) {
            try agent.delete(id)
            agent.deliver(id)
        }
        _ = await agent.wait(Connector.relayTimeout) { agent.hasTriedAll }
        for id in ids { try forget(id) }
    }

    /// Tells that a profile has another home, if it had the conversation with a contact that was deleted.
    private func tellHomeChange(of before: OwnProfile) throws {
        guard before.home != nil, let after = try store.profile(before.id), after.home == nil else { return }
        tell(HomeChangedEvent(profile: after))
    }
}
