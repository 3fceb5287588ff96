import ByteCoding
import CryptoCore
import TestSupport
import Testing

/// `boxes.json`: the cipher of the ratchet and the key derivation.
@Suite struct CipherVectors {
    @Test(arguments: VectorFile.cases("boxes", kind: "aesGcmPadded"))
    func seals(vector: Vector) throws {
        let plain = vector["plain"].bytes
        guard let padded = try? Padding.pad(plain, to: vector["paddedLen"].int) else {
            #expect(vector.has("error"))
            #expect(throws: CryptoError.messageTooLarge) {
                try AESGCM.sealPadded(
                    plain, to: vector["paddedLen"].int, key: Secret(copying: vector["key"].bytes),
                    iv: vector["iv"].bytes, associated: [])
            }
            return
        }
        let key = Secret(copying: vector["key"].bytes), iv = vector["iv"].bytes, associated = vector["ad"].bytes
        let sealed = try AESGCM.seal(padded, key: key, iv: iv, associated: associated)
        #expect(sealed.tag == vector["tag"].bytes)
        #expect(sealed.ciphertext == vector["encrypted"].bytes)
        #expect(try Padding.unpad(AESGCM.open(sealed, key: key, iv: iv, associated: associated)) == plain)

        let size = padded.count, pieces = [Bytes(associated.prefix(5)), [], Bytes(associated.dropFirst(5))]
        let joined = try AESGCM.sealPadded(plain, to: size, after: [1, 2], key: key, iv: iv, associated: pieces)
        #expect(joined == [1, 2] + sealed.tag + sealed.ciphertext)
        let open = { (joined: ArraySlice) in
            try AESGCM.openPadded(joined, key: key, iv: iv, associated: [associated])
        }
        #expect(try open(joined.dropFirst(2)) == plain)
        Damage.check(Bytes(joined.dropFirst(2))) { try open($0[...]) }
        Damage.check(sealed.tag) {
            let changed = AESGCM.Sealed(tag: $0, ciphertext: sealed.ciphertext)
            return try AESGCM.open(changed, key: key, iv: iv, associated: associated)
        }
        Damage.check(sealed.ciphertext) {
            let changed = AESGCM.Sealed(tag: sealed.tag, ciphertext: $0)
            return try AESGCM.open(changed, key: key, iv: iv, associated: associated)
        }
        for changed in Damage.variants(of: associated) {
            #expect(throws: CryptoError.self) { try AESGCM.open(sealed, key: key, iv: iv, associated: changed) }
        }
    }

    @Test(arguments: VectorFile.cases("boxes", kind: "aesGcmOpen"))
    func opens(vector: Vector) {
        let sealed = AESGCM.Sealed(tag: vector["tag"].bytes, ciphertext: vector["encrypted"].bytes)
        let padded = try? AESGCM.open(
            sealed, key: Secret(copying: vector["key"].bytes), iv: vector["iv"].bytes, associated: vector["ad"].bytes)
        #expect(padded.flatMap { try? Padding.unpad($0) } == vector.field("openResult")?.bytes)
        let message = try? AESGCM.openPadded(
            (sealed.tag + sealed.ciphertext)[...], key: Secret(copying: vector["key"].bytes), iv: vector["iv"].bytes,
            associated: [vector["ad"].bytes])
        #expect(message == vector.field("openResult")?.bytes)
    }

    /// What only the holder of the key can send: a length that is larger than the message, and no length at all.
    @Test func authenticMessagesWithoutPadding() throws {
        let key = Secret(copying: Bytes(0...31)), iv = Bytes(0...15)
        for plain in [[], [0], [0, 1], [255, 255, 0]] as [Bytes] {
            let sealed = try AESGCM.seal(plain, key: key, iv: iv, associated: [])
            #expect(throws: CryptoError.invalidPadding) {
                try AESGCM.openPadded((sealed.tag + sealed.ciphertext)[...], key: key, iv: iv, associated: [])
            }
        }
        #expect(throws: CryptoError.authenticationFailed) {
            try AESGCM.openPadded(Bytes(0..<15)[...], key: key, iv: iv, associated: [])
        }
    }

    @Test(arguments: VectorFile.cases("boxes", kind: "hkdfSha512"))
    func derives(vector: Vector) {
        let key = Secret(copying: vector["ikm"].bytes), salt = vector["salt"].bytes
        for salt in [HKDF.Salt.bytes(salt), .secret(Secret(copying: salt))] {
            let derived = HKDF.derive(vector["length"].int, from: [key], salt: salt, info: vector["info"].text)
            #expect(derived.copyBytes() == vector["output"].bytes)
        }
    }

    @Test func keyMaterialInPiecesIsReadInOrder() {
        let whole = HKDF.derive(100, from: [Secret(copying: Bytes(0..<50))], info: "test")
        let pieces = [Secret(copying: Bytes(0..<20)), Secret(copying: []), Secret(copying: Bytes(20..<50))]
        #expect(HKDF.derive(100, from: pieces, info: "test").isEqual(to: whole))
        #expect(whole.split(1, 0, 99).map(\.count) == [1, 0, 99])
    }

    @Test func linesOfTheSpecification() throws {
        let derived = HKDF.derive(64, from: [Secret(copying: Bytes(repeating: 0x0b, count: 22))], info: "test")
        #expect(derived.copyBytes() == VectorFile.line("hkdf salt='' ikm=0b*22 info='test' 64").bytes)
        // Section 0.8 gives an answer that is not in the file.
        let sealed = try AESGCM.seal(
            (0..<40).map { UInt8($0 * 5 & 255) }, key: Secret(copying: Bytes(0...31)), iv: Bytes(0x80...0x8f),
            associated: (0..<20).map { UInt8($0 * 3) })
        let ciphertext = "d714fb1bffe3bf5454e843fa96ab341abf74858533a936f20278c0370bd66ec4f21460d05f79c4a2"
        #expect(Hex.encode(sealed.ciphertext) == ciphertext)
        #expect(Hex.encode(sealed.tag) == "1751780b54ea91aef28335bf93334cb8")
    }
}
