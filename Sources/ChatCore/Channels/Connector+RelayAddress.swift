import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore

/// The address of a chat relay, through which owners of channels find it (network-7.md 4.2 and 4.5).
extension Connector {
    /// The key and the id of the address of a profile; nil for one that is no chat relay.
    func identity(of profile: OwnProfile) -> AddressIdentity? {
        guard profile.isChatRelay else { return nil }
        return AddressIdentity(rootKey: Ed25519.PrivateKey(random: context.environment.random))
    }

    /// The content of the address of a chat relay: its profile.
    func relayContent(_ profile: OwnProfile, limit: Int) throws -> Bytes {
        let own = profile.profile
        let shown = Profile(
            displayName: own.displayName, fullName: own.fullName, shortDescription: own.shortDescription,
            image: own.image)
        if let bytes = try? RelayLinkContent(profile: shown).linkContent(limit: limit) { return bytes }
        let reduced = Profile(displayName: own.displayName)
        guard let bytes = try? RelayLinkContent(profile: reduced).linkContent(limit: limit) else {
            throw ChatError.invalidProfile
        }
        return bytes
    }

    // MARK: - Tests

    /// The most answers without a further purpose that are on their way.
    private static let mostTests = 100

    /// The size of the longest challenge that is signed, in bytes. The official client sends 32.
    ///
    /// SECURITY: the key signs records of links too, which are longer.
    private static let longestChallenge = 64

    /// Answers the test of a relay address with the signature that only its owner can make (network-7.md 9.4).
    func recordTest(
        _ event: AgentEvent, _ challenge: Bytes, _ address: Address, _ invitation: ConnectionRequest,
        _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        guard challenge.count <= Connector.longestChallenge,
            let signature = try agent.sign(challenge, withLinkKeyOf: address.connectionID)
        else { return try context.commit(event) { [] } }
        return try recordBareRequest(
            event, invitation, .group(.relayTest(challenge: challenge, signature: signature)), profile)
    }

    /// Answers a request over a connection that has no other purpose: it is deleted when the relay has the answer, or at the next
    /// start.
    func recordBareRequest(
        _ event: AgentEvent, _ invitation: ConnectionRequest, _ answer: ChatMessage.Event, _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        guard try store.discardedConnections().count < Connector.mostTests,
            let replyServer = try servers.longestAddress(for: profile.id)
        else { return try context.commit(event) { [] } }
        let information = try handshake(answer)
        var id: ConnectionID?
        let events = try context.commit(event) {
            id = try store.insertConnection(
                of: profile.id, as: nil, status: .deleted, isInitiated: false, link: invitation.description,
                requestedName: nil, at: now)
            return []
        }
        guard let id else { return events }
        do {
            try agent.join(
                id, profile.id, .full(invitation), information: information, replyServer: replyServer,
                postQuantum: .off)
        } catch AgentError.connection {
            try forget(id)
        }
        return events
    }

    /// The relay of the other side has the answer of a connection without a further purpose.
    func recordBareAnswer(_ event: AgentEvent) throws -> [any ChatEvent] {
        let events = try context.commit(event) { [] }
        try agent.delete(event.connectionID)
        return events
    }
}
