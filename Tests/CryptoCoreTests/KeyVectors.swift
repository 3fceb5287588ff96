import ByteCoding
import CryptoCore
import TestSupport
import Testing

/// `keys.json`: keys, agreements and signatures. (Its server addresses are tested with SMPProtocol.)
@Suite struct KeyVectors {
    @Test(arguments: VectorFile.cases("keys", kind: "key"))
    func publicKeyOfAPrivateKey(vector: Vector) throws {
        let secret = Secret(copying: vector["privateRaw"].bytes)
        switch vector["algorithm"].text {
        case "X25519": check(try X25519.PrivateKey(secret).publicKey, vector)
        case "X448": check(try X448.PrivateKey(secret).publicKey, vector)
        case "Ed25519": check(try Ed25519.PrivateKey(seed: secret).publicKey, vector)
        case "Ed448": check(try Ed448.PrivateKey(seed: secret).publicKey, vector)
        default: Issue.record("unknown algorithm")
        }
    }

    private func check<Key: PublicKey>(_ key: Key, _ vector: Vector) {
        #expect(key.raw == vector["publicRaw"].bytes)
        #expect(key.der == vector["publicDer"].bytes)
        #expect(key.encoded == vector["publicBinary"].bytes)
        #expect(Base64URL.encode(key.der) == vector["publicText"].text)
        #expect((try? Key(decoding: vector["publicBinary"].bytes)) == key)
        Damage.check(key.encoded, ignoring: Damage.unusedBits(in: key.encoded)) { try Key(decoding: $0) }
    }

    @Test(arguments: VectorFile.cases("keys", kind: "dh"))
    func agreement(vector: Vector) throws {
        let a = Secret(copying: vector["privateA"].bytes), b = Secret(copying: vector["privateB"].bytes)
        let shared: [Secret]
        if vector["algorithm"].text == "X25519" {
            let keyA = try X25519.PrivateKey(a), keyB = try X25519.PrivateKey(b)
            #expect([keyA, keyB].map(\.publicKey.raw) == [vector["publicA"].bytes, vector["publicB"].bytes])
            shared = [try keyA.agree(with: keyB.publicKey), try keyB.agree(with: keyA.publicKey)]
        } else {
            let keyA = try X448.PrivateKey(a), keyB = try X448.PrivateKey(b)
            #expect([keyA, keyB].map(\.publicKey.raw) == [vector["publicA"].bytes, vector["publicB"].bytes])
            shared = [try keyA.agree(with: keyB.publicKey), try keyB.agree(with: keyA.publicKey)]
        }
        #expect(shared.map { $0.copyBytes() } == [vector["shared"].bytes, vector["sharedOther"].bytes])
    }

    @Test(arguments: VectorFile.cases("keys", kind: "signature"))
    func signature(vector: Vector) throws {
        let message = vector["message"].bytes, signature = vector["signature"].bytes
        let seed = Secret(copying: vector["privateRaw"].bytes)
        let verify: (Bytes, Bytes) -> Bool
        if vector["algorithm"].text == "Ed25519" {
            let key = try Ed25519.PrivateKey(seed: seed)
            #expect(key.sign(message) == signature)
            verify = { key.publicKey.verify($0, of: $1) }
        } else {
            let key = try Ed448.PrivateKey(seed: seed)
            #expect(try key.sign(message) == signature)
            verify = { key.publicKey.verify($0, of: $1) }
        }
        #expect(verify(signature, message) == vector["valid"].bool)
        #expect(verify(signature, message + [0]) == vector["validForChangedMessage"].bool)
        #expect(Damage.variants(of: signature).allSatisfy { !verify($0, message) })
    }

    @Test(arguments: VectorFile.cases("keys", kind: "parsePublicKey"))
    func parsesDER(vector: Vector) {
        let der = vector["der"].bytes
        #expect(((try? X25519.PublicKey(der: der)) != nil) == vector["asX25519"].isText("ok"))
        #expect(((try? X448.PublicKey(der: der)) != nil) == vector["asX448"].isText("ok"))
        let isVerifyKey = (try? Ed25519.PublicKey(der: der)) != nil || (try? Ed448.PublicKey(der: der)) != nil
        #expect(isVerifyKey == vector["asVerifyKey"].isText("ok"))
    }

    @Test(arguments: VectorFile.cases("keys", kind: "parseKeyText"))
    func parsesKeysInText(vector: Vector) {
        var reader = TextReader(vector["text"].text)
        let keys = try? reader.commaSeparated { reader throws(DecodeError) in
            try X25519.PublicKey(der: try reader.base64URL())
        }
        let expected: [Bytes]? = if case .array(let keys) = vector["result"] { keys.map(\.bytes) } else { nil }
        #expect((reader.isAtEnd ? keys?.map(\.raw) : nil) == expected)
    }

    @Test func linesOfTheSpecification() throws {
        let ed25519 = try Ed25519.PrivateKey(seed: Secret(copying: Bytes(1...32)))
        #expect(ed25519.publicKey.der == VectorFile.line("ed25519 priv(1..32) pub SPKI").bytes)
        let seven = try X25519.PrivateKey(Secret(copying: Bytes(repeating: 7, count: 32)))
        let nine = try X25519.PrivateKey(Secret(copying: Bytes(repeating: 9, count: 32)))
        #expect(seven.publicKey.der == VectorFile.line("x25519 priv(07*32) pub SPKI").bytes)
        #expect(nine.publicKey.der == VectorFile.line("x25519 priv(09*32) pub SPKI").bytes)
        #expect(try seven.agree(with: nine.publicKey).copyBytes() == VectorFile.line("x25519 dh(07,09)").bytes)
        let r1 = try X448.PrivateKey(Secret(copying: Bytes(repeating: 0x11, count: 56)))
        let r2 = try X448.PrivateKey(Secret(copying: Bytes(repeating: 0x22, count: 56)))
        #expect(r1.publicKey.der == VectorFile.line("x448 priv(11*56) pub SPKI").bytes)
        #expect(try r1.agree(with: r2.publicKey).copyBytes() == VectorFile.line("x448 dh(11,22)").bytes)
    }

    /// RFC 7748 sections 6.1 and 6.2: an all-zero output means that the other key contributed nothing.
    @Test func keysWithoutContributionAreRefused() throws {
        let key = X25519.PrivateKey(random: SystemRandom())
        #expect(throws: CryptoError.invalidKey) {
            try key.agree(with: X25519.PublicKey(raw: Bytes(repeating: 0, count: 32)))
        }
        let other = X448.PrivateKey(random: SystemRandom())
        #expect(throws: CryptoError.invalidKey) {
            try other.agree(with: X448.PublicKey(raw: Bytes(repeating: 0, count: 56)))
        }
    }
}

extension Vector {
    fileprivate func isText(_ expected: String) -> Bool {
        if case .string(let value) = self { value == expected } else { false }
    }
}
