import ByteCoding
import CryptoCore
import SMPProtocol

extension FuzzTarget {
    /// One version for each form that some message has.
    private static let versions: [UInt16] = [6, 7, 8, 9, 11, 15, 16, 17, 18]
    private static let sessionID = Bytes(repeating: 7, count: 32)

    /// What relays and their clients send each other after the handshake: blocks, transmissions, commands, messages.
    static let transmissions = FuzzTarget(name: "transmissions") { input in
        roundTrip(input, { try Batch.transmissions(of: $0) }, { Batch.content($0) })
        let content = (try? BlockCipher().opening(input)) ?? input
        let parts = (try? Batch.transmissions(of: content)) ?? []
        for bytes in [input] + parts.prefix(3) {
            for version in versions { transmission(bytes, version) }
        }
        roundTrip(input, ForwardedCommand.self)
        roundTrip(input, ForwardedAnswer.self)
        roundTrip(input, { try ReceivedBody(decoding: $0) }, \.encoded)
        roundTrip(input, MessageEnvelope.self)
        roundTrip(input, ClientMessage.self)
        roundTrip(input, AuthorizationKey.self)
    }

    private static func transmission(_ bytes: Bytes, _ version: UInt16) {
        let session = TransmissionSession(version: version, sessionID: sessionID)
        roundTrip(bytes, { try Transmission(decoding: $0, session: session) }, { $0.encoded(in: session) })
        let command = (try? Transmission(decoding: bytes, session: session))?.command
        for bytes in [bytes] + (command.map { [$0] } ?? []) {
            roundTrip(
                bytes, { try ClientCommand(decoding: $0, version: version) }, { $0.encoded(version: version) })
            // Old clients get old messages for new ones.
            roundTrip(
                bytes, translated: true, { try RelayMessage(decoding: $0, version: version) },
                { $0.encoded(version: version) })
        }
    }

    /// The hellos of both sides, and what they do with them.
    static let hellos = FuzzTarget(name: "hellos") { input in
        roundTrip(input, { try ServerHello(decoding: $0) }, \.encoded)
        roundTrip(input, { try ClientHello(decoding: $0) }, \.encoded)
        roundTrip(input, { try ServiceAnswer(decoding: $0) }, \.encoded)
        roundTrip(input, { try SignedSessionKey(der: $0) }, \.der)
        roundTrip(input, SessionCredentials.self)
        roundTrip(input, ProxiedSession.self)
        answerHello(input)
        _ = try? relayHandshake.accept(input)
    }

    private static let signer = Ed25519.PrivateKey(random: FixedRandom(seed: 1))
    private static let sessionKey = X25519.PrivateKey(random: FixedRandom(seed: 2))
    private static let relayHandshake = RelayHandshake(
        versions: SMP.versions, hasALPN: true, sessionID: sessionID, chain: [[1], [2]], signer: signer, key: sessionKey)

    /// A client that expects exactly the relay that the hello speaks of, so that it goes on as far as it can.
    private static func answerHello(_ input: Bytes) {
        guard let hello = try? ServerHello(decoding: input) else { return }
        let chain = hello.credentials?.chain ?? []
        let handshake = ClientHandshake(
            versions: SMP.versions, fingerprint: SHA256.hash(chain.count > 1 ? chain[1] : []),
            sessionID: hello.sessionID, leafKey: .ed25519(signer.publicKey))
        _ = try? handshake.answer(input, key: sessionKey)
    }
}

extension BlockCipher {
    /// The content of a block that is not encrypted.
    fileprivate func opening(_ block: Bytes) throws(CryptoError) -> Bytes {
        var cipher = self
        return try cipher.open(block)
    }
}
