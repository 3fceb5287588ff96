import ByteCoding
import CryptoCore
import SMPProtocol
import TestSupport
import Testing

/// `smp-transmissions.json`: what relays and senders encrypt, with and without a proxy between them.
@Suite struct BodyVectors {
    @Test(arguments: VectorFile.cases("smp-transmissions", kind: "receivedMessageBody"))
    func receivedBodies(vector: Vector) throws {
        let key = try X25519.PrivateKey(Secret(copying: vector["recipientPrivateKey"].bytes))
        let secret = try key.agree(with: vector.x25519("serverPublicKey"))
        let body = Self.body(vector)
        #expect(body.encoded == vector["plainEncoded"].wholeBytes)
        let sealed = try body.seal(messageID: vector["messageId"].entity, secret: secret)
        let recorded = LongBytes(vector["encrypted"])
        #expect(sealed.encrypted.count == recorded.length)
        #expect(SHA256.hash(sealed.encrypted) == recorded.sha256)
        if let full = vector.field("encryptedFull") { #expect(sealed.encrypted == full.bytes) }
        #expect(try ReceivedBody(opening: sealed, secret: secret) == body)
        let damaged = EncryptedMessage(messageID: sealed.messageID, encrypted: sealed.encrypted.reversed())
        #expect(throws: CryptoError.self) { try ReceivedBody(opening: damaged, secret: secret) }
    }

    @Test(arguments: VectorFile.cases("smp-transmissions", kind: "parseReceivedBody"))
    func parsesReceivedBodies(vector: Vector) throws {
        let bytes = vector["bytes"].bytes
        guard !vector.has("error") else {
            #expect(throws: DecodeError.self) { try ReceivedBody(decoding: bytes) }
            return
        }
        #expect(try ReceivedBody(decoding: bytes) == Self.body(vector))
        // Flags between the first one and the space are ignored.
        let space = bytes.dropFirst(8).firstIndex(of: UInt8(ascii: " ")) ?? 9
        Damage.check(bytes, ignoring: Set(9..<max(9, space))) { try ReceivedBody(decoding: $0) }
    }

    private static func body(_ vector: Vector) -> ReceivedBody {
        let time = vector["timestamp"].int64
        guard vector["type"].text == "message" else { return .quota(time: time) }
        let flags = MessageFlags(notifies: vector["notification"].bool)
        return .message(time: time, flags, body: vector["body"].wholeBytes)
    }

    @Test(arguments: VectorFile.cases("smp-transmissions", kind: "notificationMeta"))
    func notificationMetadata(vector: Vector) throws {
        let key = try X25519.PrivateKey(Secret(copying: vector["recipientPrivateKey"].bytes))
        let secret = try key.agree(with: vector.x25519("serverPublicKey"))
        let metadata = NotificationMetadata(
            messageID: vector["messageId"].entity, time: vector["timestamp"].int64)
        #expect(metadata.encoded == vector["plain"].bytes)
        let nonce = Nonce(vector["nonce"].bytes)
        #expect(try metadata.seal(nonce: nonce, secret: secret) == vector["encrypted"].bytes)
        let opened = try NotificationMetadata(opening: vector["encrypted"].bytes, nonce: nonce, secret: secret)
        #expect(opened == metadata)
    }

    @Test(arguments: VectorFile.cases("smp-transmissions", kind: "clientMessageEnvelope"))
    func envelopes(vector: Vector) throws {
        if vector.has("error") {
            let message = try ClientMessage(decoding: vector["clientMessage"].wholeBytes)
            #expect(throws: CryptoError.messageTooLarge) {
                try MessageEnvelope(
                    sealing: message, paddedTo: vector["paddedLen"].int, version: 4, showing: nil,
                    nonce: Nonce([]), secret: Secret(copying: Bytes(0..<32)))
            }
            return
        }
        let sender = try X25519.PrivateKey(Secret(copying: vector["senderPrivateKey"].bytes))
        let recipient = try X25519.PrivateKey(Secret(copying: vector["recipientPrivateKey"].bytes))
        #expect(try recipient.publicKey == vector.x25519("recipientPublicKey"))
        let secret = try sender.agree(with: recipient.publicKey)
        let message = try ClientMessage(decoding: vector["clientMessage"].wholeBytes)
        #expect(message.encoded == vector["clientMessage"].wholeBytes)
        #expect(message.body == vector["body"].wholeBytes)
        let envelope = try MessageEnvelope(
            sealing: message, paddedTo: vector["paddedLen"].int, version: UInt16(vector["version"].int),
            showing: vector["senderPublicKeyInHeader"].bool ? sender.publicKey : nil,
            nonce: Nonce(vector["nonce"].bytes), secret: secret)
        if let full = vector.field("envelope") { #expect(envelope.encoded == full.bytes) }
        if let digest = vector.field("envelopeDigest") {
            #expect(envelope.encoded.count == LongBytes(digest).length)
            #expect(SHA256.hash(envelope.encoded) == LongBytes(digest).sha256)
        }
        let received = try MessageEnvelope(decoding: envelope.encoded)
        #expect(received == envelope)
        #expect(try received.open(secret: try recipient.agree(with: sender.publicKey)) == message)
    }

    @Test(arguments: VectorFile.cases("smp-transmissions", kind: "parseClientMessage"))
    func parsesClientMessages(vector: Vector) throws {
        let bytes = vector["bytes"].bytes
        let message = try? ClientMessage(decoding: bytes)
        #expect((message == nil) == vector.has("error"))
        #expect(message?.body == vector.field("body")?.bytes)
        #expect(try message?.senderKey == vector.field("privateHeader")?.authorizationKey())
        Damage.check(bytes, ignoring: Damage.unusedBits(in: bytes)) { try ClientMessage(decoding: $0) }
    }

    @Test(arguments: VectorFile.cases("smp-transmissions", kind: "parseEnvelope"))
    func parsesEnvelopes(vector: Vector) {
        let bytes = vector["bytes"].bytes
        let envelope = try? MessageEnvelope(decoding: bytes)
        #expect((envelope == nil) == vector.has("error"))
        guard let envelope else { return }
        #expect(Int(envelope.version) == vector["version"].int)
        #expect(envelope.senderKey?.raw == vector.field("publicKey")?.bytes)
        #expect(envelope.nonce.bytes == vector["nonce"].bytes)
        #expect(envelope.box == vector["encryptedBody"].bytes)
        Damage.check(bytes, ignoring: Damage.unusedBits(in: bytes)) { try MessageEnvelope(decoding: $0) }
    }

    @Test(arguments: VectorFile.cases("smp-transmissions", kind: "proxied"))
    func proxied(vector: Vector) throws {
        let version = UInt16(vector["version"].int)
        let relay = try X25519.PrivateKey(Secret(copying: vector["relaySessionPrivateKey"].bytes))
        let commandKey = try X25519.PrivateKey(Secret(copying: vector["commandPrivateKey"].bytes))
        let proxy = try X25519.PrivateKey(Secret(copying: vector["proxySessionPrivateKey"].bytes))
        let id = CorrelationID(vector["nonceAndCorrId"].bytes)
        let outerID = CorrelationID(vector["proxyNonceAndCorrId"].bytes)
        let inner = try commandKey.agree(with: relay.publicKey), outer = try proxy.agree(with: relay.publicKey)
        for (key, name) in [(relay, "relaySession"), (commandKey, "command"), (proxy, "proxySession")] {
            #expect(key.publicKey.raw == vector["\(name)PublicKey"].bytes)
        }
        try checkSender(vector, relay)

        // Client to proxy to relay.
        let transmission = try Batch.transmissions(of: vector["block"].bytes)[0]
        let encrypted = try Forwarding.seal(transmission, correlationID: id, secret: inner)
        #expect(SHA256.hash(encrypted) == LongBytes(vector["encryptedTransmission"]).sha256)
        let pfwd = ClientCommand.pfwd(version: version, key: commandKey.publicKey, encrypted: encrypted)
        #expect(SHA256.hash(pfwd.encoded(version: 18)) == LongBytes(vector["pfwdCommand"]).sha256)
        let forwarded = ForwardedCommand(
            correlationID: id, version: version, key: commandKey.publicKey, encrypted: encrypted)
        #expect(SHA256.hash(forwarded.encoded) == LongBytes(vector["forwardedPlain"]).sha256)
        let rfwd = forwarded.seal(correlationID: outerID, secret: outer)
        #expect(SHA256.hash(rfwd) == LongBytes(vector["rfwdPayload"]).sha256)
        let arrived = try ForwardedCommand(opening: rfwd, correlationID: outerID, secret: outer)
        #expect(arrived == forwarded)
        let opened = try Forwarding.open(
            arrived.encrypted, correlationID: arrived.correlationID, secret: relay.agree(with: arrived.key))
        #expect(opened == transmission)

        // Relay to proxy to client.
        let answer = try Batch.transmissions(of: vector["relayResponseBlock"].bytes)[0]
        let sealed = try Forwarding.sealAnswer(answer, correlationID: id, secret: inner)
        #expect(SHA256.hash(sealed) == LongBytes(vector["encryptedResponse"]).sha256)
        let back = ForwardedAnswer(correlationID: id, encrypted: sealed)
        #expect(SHA256.hash(back.encoded) == LongBytes(vector["forwardedResponsePlain"]).sha256)
        let rres = back.seal(correlationID: outerID, secret: outer)
        #expect(SHA256.hash(rres) == LongBytes(vector["rresPayload"]).sha256)
        #expect(try ForwardedAnswer(opening: rres, correlationID: outerID, secret: outer) == back)
        #expect(try Forwarding.openAnswer(sealed, correlationID: id, secret: inner) == answer)
    }

    /// The innermost transmission: authorized by the sender for the session between proxy and relay, checked by the relay.
    private func checkSender(_ vector: Vector, _ relay: X25519.PrivateKey) throws {
        let session = TransmissionSession(
            version: UInt16(vector["version"].int), sessionID: vector["relaySessionId"].bytes)
        let block = vector["block"].bytes
        let received = try Transmission(decoding: Batch.transmissions(of: block)[0], session: session)
        #expect(received.correlationID.bytes == vector["nonceAndCorrId"].bytes)
        #expect(received.authorized(in: session) == vector["signedPart"].bytes)
        guard let key = try vector.field("senderKey")?.authorizationPrivateKey() else {
            #expect(!received.authorization.isPresent)
            return
        }
        let sent = try Transmission(
            received.command, entityID: received.entityID, correlationID: received.correlationID, key: key,
            session: session, relayKey: relay.publicKey)
        #expect(sent == received)
        #expect(sent.authorization.bytes == vector["authorization"]["bytes"].bytes)
        let isValid = received.authorization.verifies(
            received.authorized(in: session), key: key.publicKey, correlationID: received.correlationID, relayKey: relay
        )
        #expect(isValid)
    }
}
