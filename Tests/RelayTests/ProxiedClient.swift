import ByteCoding
import CryptoCore
import Relay
import SMPProtocol
import TestSupport
import Testing

/// A client that reaches a relay through another one.
final class ProxiedClient {
    let client: LoopbackClient
    let session: ProxiedSession
    private let random = SystemRandom()

    /// A command on its way: what its answer is read with.
    struct Forwarded {
        let id: CorrelationID
        let version: UInt16
        let secret: Secret
    }

    init(_ client: LoopbackClient, _ session: ProxiedSession) {
        self.client = client
        self.session = session
    }

    private func transmissionSession(_ version: UInt16) -> TransmissionSession {
        TransmissionSession(version: version, sessionID: session.sessionID)
    }

    /// Sends a command to the relay behind the proxy.
    func send(
        _ command: ClientCommand, of entityID: EntityID, key: AuthorizationPrivateKey? = nil, version: UInt16 = 17
    ) throws -> Forwarded {
        let relayKey = session.credentials.signedKey.key
        let ephemeral = X25519.PrivateKey(random: random), id = CorrelationID(random: random)
        let secret = try ephemeral.agree(with: relayKey)
        let bytes = command.encoded(version: version), transport = transmissionSession(version)
        let transmission =
            try key.map {
                try Transmission(
                    bytes, entityID: entityID, correlationID: id, key: $0, session: transport, relayKey: relayKey)
            } ?? Transmission(correlationID: id, entityID: entityID, command: bytes)
        let encrypted = try Forwarding.seal(transmission.encoded(in: transport), correlationID: id, secret: secret)
        try client.send(
            .pfwd(version: version, key: ephemeral.publicKey, encrypted: encrypted), of: EntityID(session.sessionID),
            id: id)
        return Forwarded(id: id, version: version, secret: secret)
    }

    /// The answer: that of the relay behind the proxy, or an error of the proxy.
    func answer(to forwarded: Forwarded) throws -> RelayMessage? {
        guard let answer = client.answer(to: forwarded.id) else { return nil }
        guard case .pres(let encrypted) = answer else { return answer }
        let plain = try Forwarding.openAnswer(encrypted, correlationID: forwarded.id, secret: forwarded.secret)
        let told = try Transmission(decoding: plain, session: transmissionSession(forwarded.version))
        #expect(told.correlationID == forwarded.id)
        return try RelayMessage(decoding: told.command, version: forwarded.version)
    }
}

extension LoopbackClient {
    /// Sends one command with an id that something was derived from.
    func send(_ command: ClientCommand, of entityID: EntityID, id: CorrelationID) throws {
        guard let session else { return }
        let bytes = command.encoded(version: session.version)
        sendContent(
            Batch.content([
                Transmission(correlationID: id, entityID: entityID, command: bytes).encoded(in: session.transmission)
            ]))
    }
}

extension RelayWorld {
    /// A session with another relay, through this one.
    func proxied(
        _ client: LoopbackClient, _ address: ServerAddress, password: ServerPassword? = nil
    ) throws -> ProxiedClient {
        let answer = try ask(client, .prxy(address, password: password))
        guard case .pkey(let session) = answer else {
            Issue.record("PRXY is answered by \(answer)")
            throw ProtocolError.internal
        }
        #expect(session.credentials.belong(to: address.fingerprint))
        return ProxiedClient(client, session)
    }

    /// Sends a command through the proxy and waits for its answer.
    func ask(
        _ proxied: ProxiedClient, _ command: ClientCommand, of entityID: EntityID,
        key: AuthorizationPrivateKey? = nil, version: UInt16 = 17
    ) throws -> RelayMessage {
        let forwarded = try proxied.send(command, of: entityID, key: key, version: version)
        try run("\(command.tag) is answered") { proxied.client.answer(to: forwarded.id) != nil }
        return try #require(try proxied.answer(to: forwarded))
    }
}
