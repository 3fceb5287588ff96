import ByteCoding
import CryptoCore
import TestSupport
import Testing

/// `boxes.json`: authenticated encryption below the ratchet, with its padding. (Its key chain of blocks is tested with
/// SMPProtocol, its file boxes with XFTPProtocol.)
@Suite struct BoxVectors {
    @Test(arguments: VectorFile.cases("boxes", kind: "cbEncrypt"))
    func paddedBoxOfAnAgreement(vector: Vector) throws {
        checkPadded(vector, key: try agreement(vector), size: vector["paddedLen"].int)
    }

    /// A variant that names the longest message instead of the padded size.
    @Test(arguments: VectorFile.cases("boxes", kind: "cbEncryptMaxLenBS"))
    func boxOfABoundedMessage(vector: Vector) throws {
        checkPadded(vector, key: try agreement(vector), size: vector["maxLen"].int + Padding.lengthSize)
    }

    @Test(arguments: VectorFile.cases("boxes", kind: "sbEncrypt"))
    func paddedBoxOfASymmetricKey(vector: Vector) {
        checkPadded(vector, key: Secret(copying: vector["key"].bytes), size: vector["paddedLen"].int)
    }

    @Test(arguments: VectorFile.cases("boxes", kind: "cbEncryptNoPad"))
    func boxOfAnAgreement(vector: Vector) throws {
        checkUnpadded(vector, key: try agreement(vector))
    }

    @Test(arguments: VectorFile.cases("boxes", kind: "sbEncryptNoPad"))
    func boxOfASymmetricKey(vector: Vector) {
        checkUnpadded(vector, key: Secret(copying: vector["key"].bytes))
        #expect(vector["packet"].bytes != vector["naclSecretboxWithSameKey"].bytes)
    }

    @Test(arguments: VectorFile.cases("boxes", kind: "cbDecryptNoPad"))
    func opens(vector: Vector) throws {
        let key = try agreement(vector)
        let message = try? SecretBox.open(vector["packet"].bytes, nonce: Nonce(vector["nonce"].bytes), key: key)
        #expect(message == vector.field("openResult")?.bytes)
    }

    @Test(arguments: VectorFile.cases("boxes", kind: "cbDecrypt"))
    func opensPadded(vector: Vector) throws {
        let key = try agreement(vector), box = vector["packet"].bytes, nonce = Nonce(vector["nonce"].bytes)
        #expect(try SecretBox.open(box, nonce: nonce, key: key) == vector["decryptedBeforeUnpad"].bytes)
        #expect((try? SecretBox.openPadded(box, nonce: nonce, key: key)) == vector.field("openResult")?.bytes)
    }

    private func checkPadded(_ vector: Vector, key: Secret, size: Int) {
        let plain = vector["plain"].bytes, nonce = Nonce(vector["nonce"].bytes)
        let box = try? SecretBox.sealPadded(plain, to: size, nonce: nonce, key: key)
        #expect(box == vector.field("packet")?.bytes)
        guard let box else { return }
        #expect((try? SecretBox.openPadded(box, nonce: nonce, key: key)) == plain)
        Damage.check(box) { try SecretBox.openPadded($0, nonce: nonce, key: key) }
    }

    private func checkUnpadded(_ vector: Vector, key: Secret) {
        let plain = vector["plain"].bytes, nonce = Nonce(vector["nonce"].bytes)
        let box = SecretBox.seal(plain, nonce: nonce, key: key)
        #expect(box == vector["packet"].bytes)
        #expect((try? SecretBox.open(box, nonce: nonce, key: key)) == plain)
        #expect(Damage.variants(of: box).allSatisfy { (try? SecretBox.open($0, nonce: nonce, key: key)) == nil })
    }

    private func agreement(_ vector: Vector) throws -> Secret {
        let key = try X25519.PrivateKey(Secret(copying: vector["privateKey"].bytes))
        let secret = try key.agree(with: X25519.PublicKey(raw: vector["peerPublicKey"].bytes))
        #expect(secret.copyBytes() == vector["dhSecret"].bytes)
        return secret
    }

    // MARK: - Nonces, authenticators, padding

    @Test(arguments: VectorFile.cases("boxes", kind: "nonceFromBytes"))
    func nonces(vector: Vector) {
        let nonce = Nonce(vector["input"].bytes)
        #expect(nonce.bytes == vector["nonce"].bytes)
        #expect(nonce.reversed.bytes == vector["reversed"].bytes)
    }

    @Test(arguments: VectorFile.cases("boxes", kind: "cbAuthenticate"))
    func makesAuthenticators(vector: Vector) throws {
        let own = try X25519.PrivateKey(Secret(copying: vector["authorizerPrivateKey"].bytes))
        let key = try own.agree(with: X25519.PublicKey(raw: vector["verifierPublicKey"].bytes))
        let message = vector["message"].bytes
        #expect(SHA512.hash(message) == vector["sha512"].bytes)
        let made = Authenticator.make(for: message, nonce: Nonce(vector["nonce"].bytes), key: key)
        #expect(made == vector["authenticator"].bytes)
        #expect(made.count == Authenticator.size)
    }

    @Test(arguments: VectorFile.cases("boxes", kind: "cbVerify"))
    func verifiesAuthenticators(vector: Vector) throws {
        let own = try X25519.PrivateKey(Secret(copying: vector["verifierPrivateKey"].bytes))
        let key = try own.agree(with: X25519.PublicKey(raw: vector["authorizerPublicKey"].bytes))
        let nonce = Nonce(vector["nonce"].bytes), message = vector["message"].bytes
        let authenticator = vector["authenticator"].bytes
        let isValid = Authenticator.verify(authenticator, for: message, nonce: nonce, key: key)
        #expect(isValid == vector["valid"].bool)
        guard isValid else { return }
        for variant in Damage.variants(of: authenticator) {
            #expect(!Authenticator.verify(variant, for: message, nonce: nonce, key: key))
        }
    }

    @Test(arguments: VectorFile.cases("boxes", kind: "pad"))
    func pads(vector: Vector) {
        let padded = try? Padding.pad(vector["message"].bytes, to: vector["paddedLen"].int)
        #expect(padded == vector.field("padded")?.bytes)
    }

    @Test(arguments: VectorFile.cases("boxes", kind: "padLimit"))
    func padsUpToALimit(vector: Vector) {
        let message = Bytes(repeating: 0, count: vector["messageLen"].int)
        let padded = try? Padding.pad(message, to: vector["paddedLen"].int)
        #expect(padded.map { SHA256.hash($0) } == vector.field("paddedSha256")?.bytes)
    }

    @Test(arguments: VectorFile.cases("boxes", kind: "unPad"))
    func unpads(vector: Vector) {
        let padded = vector["padded"].bytes
        let message = try? Padding.unpad(padded)
        #expect(message == vector.field("message")?.bytes)
        // Nobody looks at the bytes that fill the rest, or misses them: the cipher around them does.
        guard let message else { return Damage.survive(padded) { _ = try Padding.unpad($0) } }
        let start = Padding.lengthSize + message.count
        Damage.check(Bytes(padded.prefix(start))) { try Padding.unpad($0) }
    }

    @Test func linesOfTheSpecification() throws {
        let key = Secret(copying: Bytes(1...32)), nonce = Nonce(Bytes(1...24)), hello = Bytes("hello".utf8)
        let agreed = Secret(copying: VectorFile.line("x25519 dh(07,09)").bytes)
        #expect(
            SecretBox.seal(hello, nonce: nonce, key: key)
                == VectorFile.line("sbEncryptNoPad key(1..32) nonce(1..24) 'hello'").bytes)
        #expect(
            try SecretBox.sealPadded(hello, to: 32, nonce: nonce, key: key)
                == VectorFile.line("sbEncrypt key nonce 'hello' padded 32").bytes)
        #expect(
            SecretBox.seal(hello, nonce: nonce, key: agreed)
                == VectorFile.line("cbEncryptNoPad dh(07,09) nonce(1..24) 'hello'").bytes)
        #expect(
            try SecretBox.sealPadded(hello, to: 32, nonce: nonce, key: agreed)
                == VectorFile.line("cbEncrypt dh(07,09) nonce 'hello' padded 32").bytes)
        #expect(Nonce(Bytes("abcd".utf8)).bytes == VectorFile.line("cbNonce of 'abcd'").bytes)
        #expect(nonce.reversed.bytes == VectorFile.line("reverseNonce(1..24)").bytes)
        #expect(try Padding.pad(Bytes("abc".utf8), to: 10) == VectorFile.line("pad abc 10").bytes)
    }
}
