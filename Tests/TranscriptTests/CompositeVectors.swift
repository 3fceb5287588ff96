import AgentProtocol
import ByteCoding
import CryptoCore
import Ratchet
import SMPProtocol
import TestSupport
import Testing

/// The lines of `smp-agent-vectors.tsv` that begin with COMPOSITE and go through several layers: the confirmation of a
/// joiner, its first message, how a relay delivers it, and its way through a proxy.
///
/// Their private keys repeat one byte: 33, 44 and 55 for the joiner's ratchet, 07, 09 and 0b for X25519. Other values count.
@Suite struct CompositeVectors {
    private let seven: X25519.PrivateKey
    private let nine: X25519.PrivateKey
    private let queueSecret: Secret
    private let joiner: X3DHPrivateKeys
    private var ratchet: RatchetState
    private let queueID = EntityID(Bytes(1...24))
    private let senderID = EntityID(Bytes(65...88))
    private let correlationID = CorrelationID(Bytes(201...224))
    private let outerID = CorrelationID(Bytes(101...124))
    private let session = TransmissionSession(version: 17, sessionID: VectorFile.line("sessionId").bytes)

    init() throws {
        seven = try Self.x25519(0x07)
        nine = try Self.x25519(0x09)
        queueSecret = try seven.agree(with: nine.publicKey)
        joiner = X3DHPrivateKeys(key1: try Self.x448(0x33), key2: try Self.x448(0x44), kem: nil)
        let initiator = X3DHPrivateKeys(key1: try Self.x448(0x11), key2: try Self.x448(0x22), kem: nil)
        let key = Vector.dictionary(["ratchetPrivateKey": .string(String(repeating: "55", count: 56))])
        ratchet = try RatchetState.joiner(
            own: joiner, peer: initiator.parameters(for: 3), maximumVersion: 3, random: RecordedKeys(ratchetKeyOf: key))
    }

    private static func x25519(_ byte: UInt8) throws -> X25519.PrivateKey {
        try X25519.PrivateKey(Secret(copying: Bytes(repeating: byte, count: 32)))
    }

    private static func x448(_ byte: UInt8) throws -> X448.PrivateKey {
        try X448.PrivateKey(Secret(copying: Bytes(repeating: byte, count: 56)))
    }

    /// Compares with the three lines of a long value.
    private func expect(_ bytes: Bytes, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let line = { (part: String) in VectorFile.line("COMPOSITE \(name) \(part)") }
        #expect(bytes.count == line("length").asciiNumber, "\(name)", sourceLocation: sourceLocation)
        #expect(Bytes(bytes.prefix(64)) == line("first 64").bytes, "\(name)", sourceLocation: sourceLocation)
        #expect(SHA256.hash(bytes) == line("sha256").bytes, "\(name)", sourceLocation: sourceLocation)
    }

    // MARK: - To the relay

    /// The bodies of two SENDs: the confirmation, and the message behind it.
    private func bodies() throws -> (confirmation: Bytes, message: Bytes) {
        let queue = try AgreedQueueAddress(decoding: VectorFile.line("SMPQueueInfo v4 M").bytes)
        let information = AgentMessage.connectionInfoReply([queue], info: Bytes("INFO".utf8))
        var sequence = MessageSequence()
        sequence.advance(over: information.encoded)
        #expect(
            sequence.lastHash
                == VectorFile.line("COMPOSITE sha256 of AgentConnInfoReply (prevMsgHash of message id 2)").bytes)
        let first = try ratchet.encrypting(
            information.encoded, paddedSize: PaddedSize.connectionInfo(postQuantum: false))
        expect(first.message, "confirmation ratchet message (AgentConnInfoReply padded 14832)")
        let confirmation = ClientMessage(
            body: AgentEnvelope(
                version: 7, .confirmation(joiner.parameters(for: 3), encrypted: first.message)
            ).encoded)
        expect(confirmation.encoded, "confirmation ClientMessage plaintext")

        let hello = AgentMessage.message(sequence.nextHeader, .content(Bytes("hello".utf8)))
        #expect(hello.encoded == VectorFile.line("COMPOSITE AgentMessage id 2 A_MSG hello").bytes)
        let second = try first.state.encrypting(hello.encoded, paddedSize: PaddedSize.message(postQuantum: false))
        let message = ClientMessage(body: AgentEnvelope(version: 7, .message(encrypted: second.message)).encoded)
        let envelopes = (
            try MessageEnvelope(
                sealing: confirmation, paddedTo: MessageEnvelope.confirmationSize, version: 4, showing: seven.publicKey,
                nonce: Nonce(Bytes(1...24)), secret: queueSecret),
            try MessageEnvelope(
                sealing: message, paddedTo: MessageEnvelope.messageSize, version: 4, showing: nil,
                nonce: Nonce(Bytes(33...56)), secret: queueSecret)
        )
        #expect(try envelopes.0.open(secret: nine.agree(with: seven.publicKey)) == confirmation)
        #expect(try envelopes.1.open(secret: nine.agree(with: seven.publicKey)) == message)
        return (envelopes.0.encoded, envelopes.1.encoded)
    }

    @Test func bodiesOfSend() throws {
        let (confirmation, message) = try bodies()
        expect(confirmation, "confirmation SEND body")
        expect(message, "message SEND body")
    }

    // MARK: - From the relay

    @Test func delivery() throws {
        let body = ReceivedBody.message(time: 1_641_032_645, MessageFlags(notifies: true), body: try bodies().message)
        let delivered = try body.seal(messageID: queueID, secret: queueSecret)
        let command = RelayMessage.msg(delivered).encoded(version: 18)
        expect(command, "MSG command")
        let newest = TransmissionSession(version: 18, sessionID: session.sessionID)
        let event = Transmission(correlationID: .empty, entityID: queueID, command: command)
        let content = Batch.content([event.encoded(in: newest)])
        expect(content, "MSG event block content (v18, empty corrId)")

        let received = try #require(try Batch.transmissions(of: content).first)
        #expect(try Transmission(decoding: received, session: newest) == event)
        guard case .msg(let message) = try RelayMessage(decoding: event.command, version: 18) else {
            Issue.record("not a MSG")
            return
        }
        #expect(try ReceivedBody(opening: message, secret: nine.agree(with: seven.publicKey)) == body)
    }

    // MARK: - Through a proxy

    @Test func throughAProxy() throws {
        let relay = nine, proxy = try Self.x25519(0x0b)
        let key = AuthorizationPrivateKey.ed25519(try Ed25519.PrivateKey(seed: Secret(copying: Bytes(1...32))))
        let body = try bodies().message
        let command = ClientCommand.send(MessageFlags(notifies: false), body: body).encoded(version: 17)
        let transmission = try Transmission(
            command, entityID: senderID, correlationID: correlationID, key: key, session: session,
            relayKey: relay.publicKey)
        let encoded = transmission.encoded(in: session)
        expect(Batch.content([encoded]), "proxied inner batch")
        let inner = try seven.agree(with: relay.publicKey)
        let encrypted = try Forwarding.seal(encoded, correlationID: correlationID, secret: inner)
        expect(encrypted, "PFWD encrypted transmission")
        let pfwd = ClientCommand.pfwd(version: 17, key: seven.publicKey, encrypted: encrypted)
        expect(pfwd.encoded(version: 18), "PFWD command")

        let outer = try proxy.agree(with: relay.publicKey)
        #expect(outer.copyBytes() == VectorFile.line("COMPOSITE proxy session secret dh(0b,09)").bytes)
        let forwarded = ForwardedCommand(
            correlationID: correlationID, version: 17, key: seven.publicKey, encrypted: encrypted)
        let rfwd = forwarded.seal(correlationID: outerID, secret: outer)
        expect(rfwd, "RFWD body (nonce 101..124)")
        let arrived = try ForwardedCommand(
            opening: rfwd, correlationID: outerID, secret: relay.agree(with: proxy.publicKey))
        #expect(arrived == forwarded)
        let opened = try Forwarding.open(
            arrived.encrypted, correlationID: arrived.correlationID, secret: relay.agree(with: arrived.key))
        #expect(try Transmission(decoding: opened, session: session) == transmission)
        #expect(
            transmission.authorization.verifies(
                transmission.authorized(in: session), key: key.publicKey, correlationID: correlationID, relayKey: relay)
        )
    }

    @Test func theAnswerComesBack() throws {
        let proxy = try Self.x25519(0x0b)
        let answer = Transmission(
            correlationID: correlationID, entityID: senderID, command: RelayMessage.ok.encoded(version: 17)
        ).encoded(in: session)
        #expect(Batch.content([answer]) == VectorFile.line("COMPOSITE relay response batch").bytes)
        let inner = try nine.agree(with: seven.publicKey), outer = try nine.agree(with: proxy.publicKey)
        let sealed = try Forwarding.sealAnswer(answer, correlationID: correlationID, secret: inner)
        expect(sealed, "PRES body")
        let forwarded = ForwardedAnswer(correlationID: correlationID, encrypted: sealed)
        let rres = forwarded.seal(correlationID: outerID, secret: outer)
        expect(rres, "RRES body")
        #expect(try ForwardedAnswer(opening: rres, correlationID: outerID, secret: outer) == forwarded)
        #expect(try Forwarding.openAnswer(sealed, correlationID: correlationID, secret: inner) == answer)
    }
}
