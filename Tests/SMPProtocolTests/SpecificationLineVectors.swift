import ByteCoding
import CryptoCore
import SMPProtocol
import TestSupport
import Testing

/// `smp-agent-vectors.tsv`: the lines about commands, messages, authorization and hellos, built from its fixed inputs.
@Suite struct SpecificationLineVectors {
    let session = VectorFile.line("sessionId").bytes
    let correlationID = CorrelationID(Bytes(201...224))
    let queueID = EntityID(Bytes(1...24))
    let senderID = EntityID(Bytes(65...88))
    let linkID = EntityID(Bytes(33...56))
    let notifierID = EntityID(Bytes(97...120))
    let seconds: Int64 = 1_641_032_645
    let ed25519: Ed25519.PrivateKey
    let x25519: X25519.PrivateKey
    let other: X25519.PrivateKey

    init() throws {
        ed25519 = try Ed25519.PrivateKey(seed: Secret(copying: Bytes(1...32)))
        x25519 = try X25519.PrivateKey(Secret(copying: Bytes(repeating: 7, count: 32)))
        other = try X25519.PrivateKey(Secret(copying: Bytes(repeating: 9, count: 32)))
    }

    private func command(_ line: String, _ command: ClientCommand, version: UInt16 = 18) throws {
        let bytes = VectorFile.line(line).bytes
        #expect(command.encoded(version: version) == bytes, "\(line)")
        #expect(try ClientCommand(decoding: bytes, version: version).encoded(version: version) == bytes, "\(line)")
    }

    private func message(_ line: String, _ message: RelayMessage, version: UInt16 = 18) throws {
        let bytes = VectorFile.line(line).bytes
        #expect(message.encoded(version: version) == bytes, "\(line)")
        #expect(try RelayMessage(decoding: bytes, version: version).encoded(version: version) == bytes, "\(line)")
    }

    @Test func newQueues() throws {
        let key = AuthorizationKey.ed25519(ed25519.publicKey), dh = x25519.publicKey
        let blobs = LinkBlobs(fixed: Bytes("FIXED".utf8), user: Bytes("USER".utf8))
        for version: UInt16 in [6, 8, 9, 15, 17, 18] {
            let queue = NewQueue(recipientKey: key, dhKey: dh, request: QueueRequest(mode: .messaging))
            try command("NEW v\(version) mode M no data", .new(queue), version: version)
        }
        let contact = NewQueue(recipientKey: key, dhKey: dh, request: QueueRequest(mode: .contact))
        try command("NEW v18 mode C no data", .new(contact))
        let withPassword = NewQueue(
            recipientKey: key, dhKey: dh, password: try ServerPassword("pwd"), subscription: .createOnly,
            request: QueueRequest(mode: .messaging))
        try command("NEW v18 auth pwd only-create mode M", .new(withPassword))
        try command("NEW v6 auth pwd only-create", .new(withPassword), version: 6)
        let messagingLink = QueueRequest(
            mode: .messaging, link: NewLink(linkID: nil, senderID: senderID, blobs: blobs))
        try command(
            "NEW v18 mode M with link data",
            .new(NewQueue(recipientKey: key, dhKey: dh, request: messagingLink)))
        let contactLink = QueueRequest(
            mode: .contact, link: NewLink(linkID: linkID, senderID: senderID, blobs: blobs))
        try command(
            "NEW v18 mode C with link data", .new(NewQueue(recipientKey: key, dhKey: dh, request: contactLink)))
        let notifier = NotifierKeys(authorizationKey: key, dhKey: dh)
        let notified = NewQueue(
            recipientKey: key, dhKey: dh, request: QueueRequest(mode: .messaging), notifier: notifier)
        try command("NEW v18 with ntf creds", .new(notified))
        try command("NKEY", .nkey(notifier))
        try command("LSET", .lset(linkID: linkID, blobs))
        try message("LNK", .lnk(senderID: senderID, blobs))
    }

    @Test func otherCommands() throws {
        let key = AuthorizationKey.ed25519(ed25519.publicKey)
        let server = try ServerAddress(text: VectorFile.line("SMPServer 1 host str").quoted)
        let body = Bytes("BODY".utf8)
        try command("KEY", .key(key))
        try command("SKEY", .skey(key))
        try command("LKEY", .lkey(key))
        try command("RKEY [k]", .rkey([key]))
        try command("ACK", .ack(messageID: queueID))
        try command("SEND F hello", .send(MessageFlags(notifies: false), body: Bytes("hello".utf8)))
        try command("SEND T hello", .send(MessageFlags(notifies: true), body: Bytes("hello".utf8)))
        try command("PRXY noauth", .prxy(server, password: nil))
        try command("PFWD v17", .pfwd(version: 17, key: x25519.publicKey, encrypted: body))
        try command("RFWD", .rfwd(encrypted: body))
        let plain: [(String, ClientCommand)] = [
            ("SUB", .sub), ("SUBS", .subs(nil)), ("LDEL", .ldel), ("NDEL", .ndel), ("GET", .get), ("OFF", .off),
            ("DEL", .del), ("QUE", .que), ("PING", .ping), ("LGET", .lget), ("NSUB", .nsub), ("NSUBS", .nsubs(nil)),
        ]
        for (line, value) in plain { try command(line, value) }
        let forwarded = ForwardedCommand(
            correlationID: correlationID, version: 17, key: x25519.publicKey, encrypted: body)
        #expect(forwarded.encoded == VectorFile.line("FwdTransmission").bytes)
        let answer = ForwardedAnswer(correlationID: correlationID, encrypted: body)
        #expect(answer.encoded == VectorFile.line("FwdResponse").bytes)
    }

    @Test func messages() throws {
        let body = Bytes("BODY".utf8), dh = x25519.publicKey
        for version: UInt16 in [6, 9, 15, 16, 17, 18] {
            let ids = QueueIDs(recipientID: queueID, senderID: senderID, dhKey: dh, mode: .messaging)
            try message("IDS v\(version) M", .ids(ids), version: version)
        }
        let notifier = NotifierIDs(notifierID: notifierID, dhKey: dh)
        let ids = QueueIDs(
            recipientID: queueID, senderID: senderID, dhKey: dh, mode: .messaging, linkID: linkID, notifier: notifier)
        try message("IDS v18 M with linkId and ntf", .ids(ids))
        try message("SOK v18 Nothing", .sok(serviceID: nil))
        try message("SOK v15 Nothing", .sok(serviceID: nil), version: 15)
        try message("SOK v18 Just", .sok(serviceID: queueID))
        try message("SOKS 5", .soks(ServiceQueues(count: 5)))
        try message("ENDS 5", .ends(ServiceQueues(count: 5)))
        try message("MSG", .msg(EncryptedMessage(messageID: queueID, encrypted: body)))
        try message("NID", .nid(notifier))
        try message("NMSG", .nmsg(nonce: Nonce(Bytes(1...24)), encrypted: Bytes("META".utf8)))
        try message("END", .end)
        try message("DELD v10", .deld, version: 10)
        try message("DELD v9", .deld, version: 9)
        try message("OK", .ok)
        try message("PONG", .pong)
        let state = QueueState(
            isSecured: true, hasNotifier: false, subscription: QueueState.Subscription.none, delivered: [1, 2, 3],
            size: 3, message: nil)
        try message("INFO", .info(state))
    }

    /// Lines named `ERR ...` hold one error each, sometimes several under one name.
    @Test func errors() throws {
        let lines = VectorFile.lines.filter { $0.key.hasPrefix("ERR v18 ") }
        #expect(lines.values.reduce(0) { $0 + $1.count } == 27)
        for value in lines.values.joined() where !value.quoted.contains("RESPONSE") {
            let bytes = value.bytes
            #expect(try RelayMessage(decoding: bytes, version: 18).encoded(version: 18) == bytes)
        }
        // The text after RESPONSE has a length byte, which the quoted line cannot show.
        try message("ERR PROXY BROKER RESPONSE abc (hex)", .err(.proxy(.broker(.response("abc")))))
        try message("ERR BLOCKED v11", .err(.blocked(Blocking(reason: .spam))), version: 11)
        let notice = Blocking(reason: .content, notice: .init(seconds: 86400))
        try message("ERR BLOCKED notice v17", .err(.blocked(notice)), version: 17)
    }

    @Test func authorization() throws {
        for version: UInt16 in [6, 7, 16, 18] {
            let session = TransmissionSession(version: version, sessionID: session)
            let transmission = try Transmission(
                Bytes("SUB".utf8), entityID: queueID, correlationID: correlationID, key: .ed25519(ed25519),
                session: session, relayKey: nil)
            #expect(transmission.authorized(in: session) == VectorFile.line("SUB v\(version) authorized").bytes)
            let encoded = transmission.encoded(in: session)
            #expect(encoded == VectorFile.line("SUB v\(version) ed25519 transmission").bytes)
            #expect(Batch.content([encoded]) == VectorFile.line("SUB v\(version) ed25519 block content").bytes)
        }
        let newest = TransmissionSession(version: 18, sessionID: session)
        let boxed = try Transmission(
            Bytes("SUB".utf8), entityID: queueID, correlationID: correlationID, key: .x25519(x25519),
            session: newest, relayKey: other.publicKey)
        #expect(boxed.encoded(in: newest) == VectorFile.line("SUB v18 x25519 authenticator transmission").bytes)
        #expect(
            boxed.authorization.verifies(
                boxed.authorized(in: newest), key: .x25519(x25519.publicKey), correlationID: correlationID,
                relayKey: other))
        let ping = Transmission(correlationID: correlationID, entityID: .empty, command: Bytes("PING".utf8))
        #expect(Batch.content([ping.encoded(in: newest)]) == VectorFile.line("PING v18 block content").bytes)
    }

    @Test func senderIDOfALink() {
        let wanted = VectorFile.line("senderId = sha3-384(corrId 201..224)[0..24]").bytes
        #expect(EntityID.sender(for: correlationID).bytes == wanted)
    }

    @Test func hellos() throws {
        let fingerprint = Bytes(1...32)
        for version: UInt16 in [6, 7, 11, 14, 15, 16] {
            let hello = ClientHello(version: version, fingerprint: fingerprint, key: x25519.publicKey)
            #expect(hello.encoded == VectorFile.line("client hello v\(version), key").bytes)
        }
        let newest = ClientHello(version: 18, fingerprint: fingerprint, key: x25519.publicKey)
        #expect(newest.encoded == VectorFile.line("client hello v18, key, not proxy, no service").bytes)
        let withoutKey = ClientHello(version: 18, fingerprint: fingerprint, key: nil)
        #expect(withoutKey.encoded == VectorFile.line("client hello v18, no key").bytes)
        #expect(try ClientHello(decoding: withoutKey.encoded + Bytes("future".utf8)) == withoutKey)
        let signed = SignedSessionKey(x25519.publicKey, signedBy: ed25519)
        let line = VectorFile.line("signed session key DER (ed25519 signer 1..32, x25519 07*32)").bytes
        #expect(signed.der == line)
        #expect(try SignedSessionKey(der: line) == signed)
        #expect(signed.isSigned(by: .ed25519(ed25519.publicKey)))
        // The unused bits of the key behind three headers.
        for damaged in Damage.variants(of: line) {
            guard let key = try? SignedSessionKey(der: damaged) else { continue }
            #expect(key.key == signed.key || !key.isSigned(by: .ed25519(ed25519.publicKey)))
        }
    }

    @Test func bodies() throws {
        let flags = MessageFlags(notifies: true)
        let body = ReceivedBody.message(time: seconds, flags, body: Bytes("hello".utf8))
        #expect(body.encoded == VectorFile.line("RcvMsgBody").bytes)
        #expect(ReceivedBody.quota(time: seconds).encoded == VectorFile.line("RcvMsgQuota").bytes)
        let secret = try x25519.agree(with: other.publicKey)
        let sealed = try body.seal(messageID: queueID, secret: secret).encrypted
        #expect(sealed.count == VectorFile.line("enc RcvMsgBody length").asciiNumber)
        #expect(Bytes(sealed.prefix(48)) == VectorFile.line("enc RcvMsgBody first 48").bytes)
        #expect(SHA256.hash(sealed) == VectorFile.line("enc RcvMsgBody sha256").bytes)

        let noKey = MessageEnvelope(version: 4, senderKey: nil, nonce: Nonce([]), box: [])
        #expect(Bytes(noKey.encoded.prefix(3)) == VectorFile.line("PubHeader v4 no key").bytes)
        let withKey = MessageEnvelope(version: 4, senderKey: x25519.publicKey, nonce: Nonce([]), box: [])
        #expect(Bytes(withKey.encoded.prefix(48)) == VectorFile.line("PubHeader v4 key").bytes)
        let plain = ClientMessage(body: Bytes("BODY".utf8))
        #expect(plain.encoded == VectorFile.line("ClientMessage empty").bytes)
        let keyed = ClientMessage(senderKey: .ed25519(ed25519.publicKey), body: Bytes("BODY".utf8))
        #expect(keyed.encoded == VectorFile.line("ClientMessage conf key").bytes)
        let envelope = try MessageEnvelope(decoding: VectorFile.line("ClientMsgEnvelope").bytes)
        #expect(envelope.encoded == VectorFile.line("ClientMsgEnvelope").bytes)
    }
}
