import AgentProtocol
import ByteCoding
import CryptoCore
import Ratchet
import SMPProtocol
import TestSupport
import Testing

/// Both sides of a recorded connection: alice made the invitation, bob used it.
///
/// Each message goes down through ratchet, agent, queue and relay with the recorded keys and nonces, and every
/// intermediate result is compared.
struct FirstMessages {
    /// One side, with the keys of the queue that it receives from and of the one that it sends to.
    private struct Side {
        var ratchet: RatchetState
        var skipped = SkippedKeys()
        /// The keys that its ratchet makes when the first message of the other side arrives.
        let newKeys: RecordedKeys
        /// Shown to the other side in its first message.
        let senderKey: X25519.PrivateKey
        /// The other side of that agreement, for the queue that this side receives from.
        let queueKey: X25519.PrivateKey
        /// The agreement with the relay of that queue.
        let relaySecret: Secret
        var sent = MessageSequence()
        var received = MessageSequence()
        /// What the other side encrypts with, since its first message showed a key.
        var incomingSecret: Secret?
    }

    private let version: UInt16 = 18
    private let agentVersion: UInt16 = 7
    private let parameters: RatchetParameters
    private let reply: Vector
    private var sides: [String: Side] = [:]

    init(_ recording: Vector) throws {
        let x3dh = recording["x3dh"], joiner = x3dh["joiner"], initiator = x3dh["initiator"]
        let made = ["randomUsedByAliceOnMessage1", "randomUsedByBobOnMessage2"].map { recording[$0].list }
        parameters = try RatchetParameters(decoding: joiner["params"].bytes)
        reply = recording["bobReplyQueue"]
        let offer = try RatchetOffer(decoding: initiator["paramsUriBinary"].bytes)
        let bob = try RatchetState.joiner(
            own: X3DHPrivateKeys(recorded: joiner), peer: offer.parameters(for: UInt16(x3dh["e2eVersion"].int)),
            maximumVersion: UInt16(x3dh["joinerVersions"]["max"].int), random: RecordedKeys(ratchetKeyOf: joiner))
        let alice = try RatchetState.initiator(
            own: X3DHPrivateKeys(recorded: initiator), peer: parameters,
            maximumVersion: UInt16(x3dh["initiatorVersions"]["max"].int),
            isPostQuantum: x3dh["initiatorPqSupport"].bool, random: RecordedKeys([]))
        alice.expect(toBe: x3dh["aliceState"])
        bob.expect(toBe: x3dh["bobState"])
        let key = { (name: String) in try X25519.PrivateKey(Secret(copying: recording[name].bytes)) }
        let relaySecret = { (name: String) in
            try key("\(name)RecipientDhPrivateKey").agree(
                with: X25519.PublicKey(raw: recording["\(name)ServerDhPublicKey"].bytes))
        }
        sides["alice"] = Side(
            ratchet: alice, newKeys: RecordedKeys(made[0]),
            senderKey: try key("aliceSenderDhPrivateKey"),
            queueKey: try key("aliceQueueDhPrivateKey"), relaySecret: try relaySecret("alice"))
        sides["bob"] = Side(
            ratchet: bob, newKeys: RecordedKeys(made[1]), senderKey: try key("bobSenderDhPrivateKey"),
            queueKey: try key("bobQueueDhPrivateKey"), relaySecret: try relaySecret("bob"))
    }

    private static func other(_ name: String) -> String { name == "alice" ? "bob" : "alice" }

    // MARK: - Down

    /// Makes the message of a step, as the relay delivers it.
    mutating func send(_ step: Vector) throws -> EncryptedMessage {
        let name = step["from"].text
        var side = try #require(sides[name])
        let recipient = try #require(sides[Self.other(name)])
        let plain = step["agentMessage"].bytes
        let message = try AgentMessage(decoding: plain)
        #expect(message.encoded == plain)
        if case .message(let header, _) = message { #expect(header == side.sent.nextHeader) }
        side.sent.advance(over: plain)

        let sealed = try side.ratchet.encrypting(plain, paddedSize: step["ratchetPaddedLen"].int)
        #expect(LongBytes(step["ratchetCiphertext"]).matches(sealed.message))
        side.ratchet = sealed.state
        side.ratchet.expect(toBe: step["ratchetStateAfter"])

        let envelope = AgentEnvelope(version: agentVersion, content(of: message, encrypted: sealed.message)).encoded
        #expect(LongBytes(step["agentEnvelope"]).matches(envelope))
        let inner = ClientMessage(body: envelope)
        #expect(ClientMessage(body: []).encoded == step["privateHeader"].bytes)
        #expect(LongBytes(step["clientMessage"]).matches(inner.encoded))

        let secret = try side.senderKey.agree(with: recipient.queueKey.publicKey)
        #expect(secret.copyBytes() == step["queueSecret"].bytes)
        let isFirst = if case .message = message { false } else { true }
        let outer = try MessageEnvelope(
            sealing: inner, paddedTo: step["queuePaddedLen"].int, version: 4,
            showing: isFirst ? side.senderKey.publicKey : nil, nonce: Nonce(step["queueNonce"].bytes), secret: secret)
        #expect(outer.box.count - 16 == (isFirst ? MessageEnvelope.confirmationSize : MessageEnvelope.messageSize))
        #expect(outer.encoded.starts(with: step["publicHeader"].bytes))
        #expect(LongBytes(step["sendBody"]).matches(outer.encoded))
        sides[name] = side

        let flags = MessageFlags(notifies: true)
        let command = ClientCommand.send(flags, body: outer.encoded).encoded(version: version)
        #expect(LongBytes(step["sendCommand"]).matches(command))
        #expect(try ClientCommand(decoding: command, version: version) == .send(flags, body: outer.encoded))

        let body = ReceivedBody.message(time: step["timestamp"].int64, flags, body: outer.encoded)
        #expect(LongBytes(step["receivedBodyPlain"]).matches(body.encoded))
        #expect(recipient.relaySecret.copyBytes() == step["serverRecipientSecret"].bytes)
        let delivered = try body.seal(messageID: EntityID(step["messageId"].bytes), secret: recipient.relaySecret)
        #expect(LongBytes(step["serverEncrypted"]).matches(delivered.encrypted))
        return delivered
    }

    private func content(of message: AgentMessage, encrypted: Bytes) -> AgentEnvelope.Content {
        switch message {
        case .connectionInfoReply: .confirmation(parameters, encrypted: encrypted)
        case .connectionInfo: .confirmation(nil, encrypted: encrypted)
        default: .message(encrypted: encrypted)
        }
    }

    // MARK: - Up

    /// Opens what the relay delivered, and compares what it says.
    mutating func receive(_ delivered: EncryptedMessage, _ step: Vector) throws {
        let name = Self.other(step["from"].text)
        var side = try #require(sides[name])
        guard
            case .message(let time, let flags, let body) = try ReceivedBody(
                opening: delivered, secret: side.relaySecret)
        else {
            Issue.record("a quota instead of a message")
            return
        }
        #expect(time == step["timestamp"].int64 && flags.notifies)
        let outer = try MessageEnvelope(decoding: body)
        if let key = outer.senderKey { side.incomingSecret = try side.queueKey.agree(with: key) }
        let inner = try outer.open(secret: try #require(side.incomingSecret))
        #expect(inner.senderKey == nil)
        let envelope = try AgentEnvelope(decoding: inner.body)
        #expect(envelope.version == agentVersion)
        let encrypted: Bytes
        switch envelope.content {
        case .confirmation(let shown, let bytes):
            #expect(shown == (name == "alice" ? parameters : nil))
            encrypted = bytes
        case .message(let bytes): encrypted = bytes
        default:
            Issue.record("not the kind of envelope that was sent")
            return
        }
        let opened = try side.ratchet.decrypting(encrypted, skipped: side.skipped, random: side.newKeys)
        #expect(side.newKeys.remaining == 0)
        #expect(opened.message == step["agentMessage"].bytes)
        side.ratchet = opened.state
        side.skipped.apply(opened.skipped)
        try check(AgentMessage(decoding: opened.message), opened.message, &side)
        sides[name] = side
    }

    private func check(_ message: AgentMessage, _ bytes: Bytes, _ side: inout Side) throws {
        switch message {
        case .connectionInfoReply(let queues, _):
            let location = try #require(queues.first).location
            #expect(queues.count == 1)
            #expect(location.senderID.bytes == reply["senderId"].bytes)
            #expect(location.dhKey.raw == reply["dhPublicKey"].bytes)
            #expect(location.mode == .messaging && reply["queueMode"].text == "messaging")
            #expect(location.server.hosts.map(\.description) == reply["server"]["hosts"].list.map(\.text))
            #expect(location.server.port == UInt16(reply["server"]["port"].text))
            #expect(location.server.fingerprint == reply["server"]["keyHash"].bytes)
            side.received.advance(over: bytes)
        case .message(let header, _): #expect(side.received.receive(header, message: bytes) == .ok)
        default: side.received.advance(over: bytes)
        }
    }
}
