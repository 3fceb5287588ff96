import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import SMPProtocol

extension ChatCore {
    /// Makes an invitation. It waits for a relay, because a link without its queue would be of no use.
    func invite(_ profile: OwnProfile, name: String?) async throws -> ChatResponse {
        let agent = try agent
        let server = try chooseServer(for: profile.id)
        let name = try checkedName(name)
        let id = try store.transaction {
            try store.insertConnection(
                of: profile.id, status: .new, isInitiated: true, link: nil, wishedName: name, at: now)
        }
        do {
            let request: Result<ConnectionRequest, AgentError> = await withCheckedContinuation { continuation in
                agent.invite(id, profile.id, server: server) { continuation.resume(returning: $0) }
            }
            let link = try request.get().description
            try store.transaction { try store.update(id, link: link) }
            return .invitation(profile, link: link, try connection(id))
        } catch {
            // A connection that the agent does not have is of no use.
            if try !agent.contains(id) { try store.transaction { try store.removeConnection(id) } }
            throw error
        }
    }

    /// Joins what a link is. The same link again goes on with the connection that it began.
    func connect(_ profile: OwnProfile, link text: String, name: String?) throws -> ChatResponse {
        let agent = try agent
        guard let request = try? ConnectionRequest(text: text) else { throw ChatError.invalidLink }
        guard case .invitation = request else { throw ChatError.unsupportedLink }
        let link = request.description
        let name = try checkedName(name)
        if let known = try store.connection(through: link, of: profile.id), known.status != .failed {
            guard !known.isInitiated else { throw ChatError.ownLink }
            return .sentConfirmation(profile, known)
        }
        // The reply queue is made later; without any server it is better said now.
        let server = try chooseServer(for: profile.id)
        let id = try store.transaction {
            try store.insertConnection(
                of: profile.id, status: .prepared, isInitiated: false, link: link, wishedName: name, at: now)
        }
        do {
            try agent.join(
                id, profile.id, request, information: try information(of: profile),
                replyServer: try longestServer(of: profile.id) ?? server.address)
        } catch {
            try store.transaction { try store.removeConnection(id) }
            throw error
        }
        return .sentConfirmation(profile, try connection(id))
    }

    func connection(_ id: ConnectionID) throws -> ContactConnection {
        guard let connection = try store.connection(id) else { throw ChatError.connectionNotFound(id) }
        return connection
    }

    /// The name that the user wishes for a contact, if it can be one.
    private func checkedName(_ name: String?) throws -> String? {
        guard let name else { return nil }
        do throws(ProfileError) {
            return try Profile.DisplayName(name).text
        } catch {
            throw ChatError.invalidName(name, suggestion: Profile.DisplayName.suggestion(for: name)?.text)
        }
    }

    /// The message of a handshake: who this profile is.
    func information(of profile: OwnProfile) throws -> Bytes {
        let message = ChatMessage(event: .profile(presentation(of: profile)))
        do throws(PayloadSizeError) {
            return try ChatPayload.prepare(message.encoded, for: .handshake, postQuantum: false)
        } catch {
            throw ChatError.invalidProfile
        }
    }

    /// Does again what a crash may have kept from the agent.
    func repeatWishes() throws {
        let agent = try agent
        for connection in try store.beginningConnections() where try !agent.contains(connection.id) {
            guard connection.status == .prepared, let link = connection.link,
                let request = try? ConnectionRequest(text: link), let profile = try store.profile(connection.profileID),
                let server = try longestServer(of: profile.id)
            else {
                try store.transaction { try store.removeConnection(connection.id) }
                continue
            }
            try agent.join(
                connection.id, profile.id, request, information: try information(of: profile),
                replyServer: server)
        }
        for item in try store.unsentItems() { try handOver(item, of: try contact(item.contactID)) }
    }
}
