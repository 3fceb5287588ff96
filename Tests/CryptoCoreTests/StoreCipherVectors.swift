import ByteCoding
import CryptoCore
import TestSupport
import Testing

/// `store-ciphers.tsv`: what protects a store.
@Suite struct StoreCipherVectors {
    private static let rows = VectorFile.rows("store-ciphers")

    @Test(arguments: rows.filter { $0[0] == "argon2id" })
    func passphrases(row: [String]) throws {
        let passes = try #require(UInt32(row[3])), memory = try #require(UInt32(row[4]))
        let cost = try #require(Argon2id.Cost(passes: passes, memory: memory))
        let key = try Argon2id.derive(
            32, from: Secret(copying: Hex.decode(row[1])), salt: Hex.decode(row[2]), cost: cost)
        #expect(key.copyBytes() == (try Hex.decode(row[5])))
    }

    @Test func impossible_costs_are_rejected() {
        #expect(Argon2id.Cost(passes: 0, memory: 8) == nil)
        #expect(Argon2id.Cost(passes: 1, memory: 7) == nil)
        #expect(Argon2id.Cost(passes: 1, memory: 8) == .minimal)
        #expect(Argon2id.Cost(passes: 3, memory: 65536) == .recommended)
    }

    @Test(arguments: rows.filter { $0[0] == "xchacha20poly1305" })
    func seals(row: [String]) throws {
        let text = Secret(copying: try Hex.decode(row[1])), associated = try Hex.decode(row[2])
        let key = Secret(copying: try Hex.decode(row[3])), nonce = Nonce(try Hex.decode(row[4]))
        let box = XChaCha20Poly1305.seal(text, nonce: nonce, associated: associated, key: key)
        #expect(box == (try Hex.decode(row[5])) + (try Hex.decode(row[6])))
        let open = { (box: Bytes) in
            try XChaCha20Poly1305.open(box, nonce: nonce, associated: associated, key: key).copyBytes()
        }
        #expect(try open(box) == text.copyBytes())
        for damaged in Damage.variants(of: box) {
            #expect(throws: CryptoError.authenticationFailed) { try open(damaged) }
        }
        for damaged in Damage.variants(of: associated) {
            #expect(throws: CryptoError.authenticationFailed) {
                try XChaCha20Poly1305.open(box, nonce: nonce, associated: damaged, key: key)
            }
        }
    }
}
