import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import SMPProtocol

/// The own address, and unused invitations.
extension Connector {
    /// Gives an address that was made without one a short link, or has the one that it has show the profile.
    func addShortLink(to profile: OwnProfile) async throws -> Address {
        let agent = try agent
        let former = try lookup.address(of: profile), id = former.connectionID
        let content = try addressContent(profile, former.settings)
        if former.link.short == nil {
            try agent.addLink(to: id, showing: content)
        } else {
            try agent.show(content, behindLinkOf: id)
        }
        await agent.settle(id, timeout: Connector.relayTimeout)
        try noteShortLink(of: id)
        let address = try lookup.address(of: profile)
        if address.link.short == nil {
            if let obstacle = agent.obstacle(of: id) { throw ChatError.relay(RelayObstacle(obstacle)) }
            guard let server = try agent.condition(of: id).receiveServers.first else { throw ChatError.internal }
            // A relay that refuses knows no short links.
            throw ChatError.relay(RelayObstacle(server: server, problem: .incompatible))
        }
        return address
    }

    /// Writes down a short link that an address got after it was made.
    private func noteShortLink(of id: ConnectionID) throws {
        guard let pair = try agent.links(of: id), pair.short != nil, try lookup.connection(id).shortLink == nil else {
            return
        }
        try store.transaction { try store.update(id, link: Connector.text(of: pair)) }
    }

    /// Changes the settings of an address, and what its short link shows.
    func setAddress(_ settings: AddressSettings, of profile: OwnProfile) async throws -> Address {
        let agent = try agent
        let former = try lookup.address(of: profile)
        try store.transaction { try store.update(settings, of: profile.id) }
        let isShown = settings.welcome != former.settings.welcome || settings.isBusiness != former.settings.isBusiness
        if isShown, former.link.short != nil {
            try agent.show(try addressContent(profile, settings), behindLinkOf: former.connectionID)
            await agent.settle(former.connectionID, timeout: Connector.relayTimeout)
        }
        return try lookup.address(of: profile)
    }

    // MARK: - Steps

    /// Makes a queue for requests, and then the address of the profile of it.
    func newAddress(_ profile: OwnProfile, _ settings: AddressSettings) async throws -> Address {
        let agent = try agent
        let server = try servers.server(for: profile.id)
        let content = try addressContent(profile, settings)
        let id = try store.transaction { try store.insertAddressConnection(of: profile.id, at: now) }
        do {
            let made: Result<LinkPair, AgentError> = await withCheckedContinuation { continuation in
                agent.createAddress(
                    id, profile.id, server: server, showing: content, clientText: nil, identity: identity(of: profile)
                ) { continuation.resume(returning: $0) }
            }
            let link = Connector.text(of: try made.get(), profile.isChatRelay ? .relay : nil)
            try store.transaction {
                try store.update(id, link: link)
                try store.setAddress(id, of: profile.id, at: now)
            }
            return try lookup.address(of: profile)
        } catch {
            try forget(id)
            throw error
        }
    }

    /// Deletes the queue of a connection at its relay, and then the connection.
    func discard(_ id: ConnectionID) async throws {
        let agent = try agent
        try agent.delete(id)
        await agent.settle(id, timeout: Connector.relayTimeout)
        try forget(id)
    }

    /// Removes a connection, unless the agent still has something to do for it.
    func forget(_ id: ConnectionID) throws {
        if try !agent.contains(id) { try store.transaction { try store.removeConnection(id) } }
    }

    /// Forgets connections of which nothing is left at their relays either.
    func forgetDeleted(_ ids: [ConnectionID]) throws {
        guard context.failure == nil else { return }
        let discarded = Set(try store.discardedConnections())
        for id in ids where discarded.contains(id) { try forget(id) }
    }

    /// Deletes again the connections whose deletion did not finish.
    func retryDiscarding() throws {
        let agent = try agent
        for id in try store.discardedConnections() {
            if try agent.contains(id) { try agent.delete(id) }
            try forget(id)
        }
    }

}
