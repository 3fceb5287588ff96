import ByteCoding
import CryptoCore
import Ratchet
import TestSupport
import Testing

/// The lines of `smp-agent-vectors.tsv` about key derivation, parameters and the first messages.
///
/// They were made with private keys that repeat one byte: r1 = 11, r2 = 22, s1 = 33, s2 = 44, the joiner's ratchet key
/// = 55.
@Suite struct LineVectors {
    private let initiator: X3DHPrivateKeys
    private let joiner: X3DHPrivateKeys
    private let ratchetKey: Vector = .dictionary([
        "kind": .string("x448PrivateKey"), "value": .string(String(repeating: "55", count: 56)),
    ])

    init() throws {
        initiator = X3DHPrivateKeys(key1: try Self.key(0x11), key2: try Self.key(0x22), kem: nil)
        joiner = X3DHPrivateKeys(key1: try Self.key(0x33), key2: try Self.key(0x44), kem: nil)
    }

    private static func key(_ byte: UInt8) throws -> X448.PrivateKey {
        try X448.PrivateKey(Secret(copying: Bytes(repeating: byte, count: 56)))
    }

    @Test func chainKeyStep() {
        let step = ChainKey(Secret(copying: Bytes(1...32))).step()
        expect(step.chainKey.secret, "chainKdf(1..32) next ck")
        expect(step.messageKey.secret, "chainKdf(1..32) message key")
        #expect(step.messageKey.iv == VectorFile.line("chainKdf(1..32) message iv").bytes)
        #expect(step.headerIV == VectorFile.line("chainKdf(1..32) header iv").bytes)
    }

    @Test func rootKeyStep() throws {
        let rootKey = RootKey(Secret(copying: Bytes(1...32)))
        let agreement = try initiator.key1.agree(with: initiator.key2.publicKey)
        let step = rootKey.step(agreement: agreement, kemSecret: nil)
        expect(step.rootKey.secret, "rootKdf(rk=1..32, dh 11/22) rk'")
        expect(step.chainKey.secret, "rootKdf ck")
        expect(step.nextHeaderKey.secret, "rootKdf nhk")
        let kemSecret = Secret(copying: Bytes(repeating: 0x5a, count: 32))
        let hybrid = rootKey.step(agreement: agreement, kemSecret: kemSecret)
        expect(hybrid.rootKey.secret, "rootKdf + kem(5a*32) rk'")
        expect(hybrid.chainKey.secret, "rootKdf + kem ck")
        expect(hybrid.nextHeaderKey.secret, "rootKdf + kem nhk")
    }

    @Test func parameters() {
        #expect(initiator.parameters(for: 3).encoded == VectorFile.line("E2ERatchetParams v3 no kem").bytes)
        #expect(initiator.parameters(for: 2).encoded == VectorFile.line("E2ERatchetParams v2").bytes)
    }

    @Test(arguments: [2, 3] as [UInt16])
    func agreement(version: UInt16) throws {
        for agreed in [
            try X3DH(joiner: joiner, initiator: initiator.parameters(for: version), kemSecret: nil),
            try X3DH(initiator: initiator, joiner: joiner.parameters(for: version), kemSecret: nil),
        ] {
            #expect(agreed.associatedData == VectorFile.line("DR v\(version) assocData").bytes)
            expect(agreed.rootKey.secret, "DR v\(version) x3dh sk")
            expect(agreed.joinerHeaderKey.secret, "DR v\(version) x3dh sndHK")
            expect(agreed.initiatorHeaderKey.secret, "DR v\(version) x3dh rcvNextHK")
        }
    }

    @Test(arguments: [2, 3] as [UInt16])
    func conversation(version: UInt16) throws {
        let line = { (name: String) in VectorFile.line("DR v\(version) \(name)") }
        var bob = try RatchetState.joiner(
            own: joiner, peer: initiator.parameters(for: version), maximumVersion: version,
            random: RecordedKeys([ratchetKey]))
        expect(bob.rootKey.secret, "DR v\(version) snd root key")
        expect(bob.sending?.chainKey.secret, "DR v\(version) snd chain key")
        expect(bob.nextSendingHeaderKey.secret, "DR v\(version) snd NHKs")
        let hello = try bob.encrypting(line("msg1 decrypted").bytes, paddedSize: 100)
        let world = try hello.state.encrypting(Bytes("world".utf8), paddedSize: 100)
        bob = world.state
        #expect(hello.message == line("msg1 'hello' padded 100").bytes)
        #expect(world.message == line("msg2 'world' padded 100").bytes)

        let alice = try RatchetState.initiator(
            own: initiator, peer: joiner.parameters(for: version), maximumVersion: version, isPostQuantum: false,
            random: RecordedKeys([]))
        let newKey = RecordedRandom([Bytes(line("rcv new DHRs private (PKCS8)").bytes.suffix(56))])
        let opened = try alice.decrypting(hello.message, skipped: SkippedKeys(), random: RandomRatchetKeys(newKey))
        #expect(opened.message == Bytes("hello".utf8))
        let reply = try opened.state.encrypting(line("msg3 decrypted").bytes, paddedSize: 100)
        #expect(reply.message == line("msg3 reply 'reply' padded 100").bytes)
        let answer = try bob.decrypting(
            reply.message, skipped: SkippedKeys(), random: RandomRatchetKeys(SystemRandom()))
        #expect(answer.message == Bytes("reply".utf8))
    }

    /// The same with a KEM secret. The initiator's answer depends on new keys, which were not recorded; so it is only read.
    @Test func postQuantumConversation() throws {
        let line = { (name: String) in VectorFile.line("PQDR \(name)").bytes }
        let encapsulation = Encapsulation(
            ciphertext: line("ct (joiner->initiator)"), secret: Secret(copying: line("shared secret")))
        let pair = KEMKeyPair(
            publicKey: line("joiner kem pk"), secretKey: Secret(copying: line("joiner kem sk")))
        let own = X3DHPrivateKeys(key1: joiner.key1, key2: joiner.key2, kem: .accepted(pair, encapsulation))
        let offered = KEMKeyPair(
            publicKey: line("initiator kem pk"), secretKey: Secret(copying: line("initiator kem sk")))
        let peer = X3DHPrivateKeys(key1: initiator.key1, key2: initiator.key2, kem: .proposed(offered))
        #expect(SHA256.hash(own.parameters(for: 3).encoded) == line("joiner e2e params encoded sha256"))
        #expect(
            own.parameters(for: 3).encoded.count
                == VectorFile.line("PQDR joiner e2e params encoded length").asciiNumber)

        let agreed = try X3DH(joiner: own, initiator: peer.parameters(for: 3), kemSecret: encapsulation.secret)
        expect(agreed.rootKey.secret, "PQDR x3dh sk")
        expect(agreed.joinerHeaderKey.secret, "PQDR x3dh sndHK")
        expect(agreed.initiatorHeaderKey.secret, "PQDR x3dh rcvNextHK")
        let bob = try RatchetState.joiner(
            own: own, peer: peer.parameters(for: 3), maximumVersion: 3, random: RecordedKeys([ratchetKey]))
        expect(bob.rootKey.secret, "PQDR snd root key")
        expect(bob.sending?.chainKey.secret, "PQDR snd chain key")
        expect(bob.nextSendingHeaderKey.secret, "PQDR snd NHKs")
        let hello = try bob.encrypting(Bytes("hello".utf8), paddedSize: 100)
        #expect(hello.message == line("msg1 'hello' padded 100"))

        let keys = RandomRatchetKeys(SeededRandom(seed: 1))
        let alice = try RatchetState.initiator(
            own: peer, peer: own.parameters(for: 3), maximumVersion: 3, isPostQuantum: true, random: keys)
        let opened = try alice.decrypting(hello.message, skipped: SkippedKeys(), random: keys)
        #expect(opened.message == line("msg1 decrypted") && opened.isPostQuantum)
        #expect(opened.state.sendsPostQuantum)
        let answer = try hello.state.decrypting(line("msg2 (reply) padded 100"), skipped: SkippedKeys(), random: keys)
        #expect(answer.message == line("msg2 decrypted") && answer.isPostQuantum)
    }
}

private func expect(_ secret: Secret?, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(secret?.copyBytes() == VectorFile.line(name).bytes, "\(name)", sourceLocation: sourceLocation)
}
