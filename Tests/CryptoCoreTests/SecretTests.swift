import ByteCoding
import CryptoCore
import TestSupport
import Testing

@Suite struct SecretTests {
    @Test func comparesByContent() {
        let secret = Secret(copying: [1, 2, 3])
        #expect(secret.isEqual(to: Secret(copying: [1, 2, 3])))
        #expect(!secret.isEqual(to: Secret(copying: [1, 2, 4])))
        #expect(!secret.isEqual(to: Secret(copying: [1, 2])))
    }

    @Test func blocks_of_locked_memory_do_not_overlap_and_come_back_empty() {
        var living: [(secret: Secret, byte: UInt8)] = []
        let random = SeededRandom(seed: 3)
        for round in 0..<4000 {
            let byte = UInt8(truncatingIfNeeded: round)
            let sizes = [0, 1, 15, 16, 17, 32, 33, 1000, 4096, 4097, 32768, 32769, 100_000]
            let size = sizes[Int(random.bytes(1)[0]) % sizes.count]
            living.append((Secret(copying: Bytes(repeating: byte, count: size)), byte))
            if living.count > 40 { living.remove(at: Int(random.bytes(1)[0]) % living.count) }
            if round % 100 == 0 {
                for (secret, byte) in living { #expect(secret.copyBytes().allSatisfy { $0 == byte }) }
            }
        }
        living = []
    }

    @Test func printsNothingOfItself() {
        let key = Ed25519.PrivateKey(random: SeededRandom(seed: 1))
        let printed = "\(key) \(String(reflecting: key))"
        #expect(!printed.contains(Hex.encode(key.seed.copyBytes())))
        #expect(!printed.contains("\(key.seed.copyBytes())"))
    }

    @Test func randomnessIsReproducibleWhereItIsInjected() {
        let first = SeededRandom(seed: 7), second = SeededRandom(seed: 7), other = SeededRandom(seed: 8)
        #expect(first.bytes(40) == second.bytes(40))
        #expect(first.bytes(40) != other.bytes(40))
        #expect(SystemRandom().bytes(32) != SystemRandom().bytes(32))
    }

    @Test func encodingsWithSecrets() throws {
        let key = Secret(copying: [1, 2, 3]), long = Secret(copying: Bytes(repeating: 9, count: 300))
        var writer = SecretWriter()
        writer.plain.uint8(7)
        writer.secret(key)
        writer.largeSecret(long)
        writer.optional(key) { $0.secret($1) }
        writer.optional(nil as Secret?) { $0.secret($1) }
        writer.plain.shortBytes([5])
        let encoded = writer.finish()
        let length: Bytes = [1, 44]
        #expect(
            encoded.copyBytes()
                == [7, 1, 2, 3] + length + Bytes(repeating: 9, count: 300) + Bytes("1".utf8) + [1, 2, 3]
                + Bytes("0".utf8) + [1, 5])

        func read(_ encoded: Bytes) throws -> [Bytes?] {
            var reader = SecretReader(Secret(copying: encoded))
            var first = try reader.plain(1)
            let number = try first.uint8()
            let values = [try reader.secret(3), try reader.largeSecret()]
            let optional = try reader.optional { reader throws(DecodeError) in try reader.secret(3) }
            let missing = try reader.optional { reader throws(DecodeError) in try reader.secret(3) }
            var last = try reader.plain(2)
            let bytes = try last.shortBytes()
            try reader.finish()
            return [[number]] + values.map { $0.copyBytes() } + [optional?.copyBytes(), missing?.copyBytes(), bytes]
        }
        #expect(try read(encoded.copyBytes()) == [[7], [1, 2, 3], long.copyBytes(), [1, 2, 3], nil, [5]])
        Damage.check(encoded.copyBytes(), decode: read)
        #expect(throws: DecodeError.trailing) { try read(encoded.copyBytes() + [0]) }
        #expect(SecretWriter().finish().count == 0)
    }

    @Test func storedX448KeysAreNotRecomputed() throws {
        let key = X448.PrivateKey(random: SeededRandom(seed: 3)), other = X448.PrivateKey(random: SeededRandom(seed: 4))
        let stored = try X448.PrivateKey(key.secret, publicKey: key.publicKey)
        #expect(stored.publicKey == key.publicKey)
        #expect(try stored.agree(with: other.publicKey).isEqual(to: other.agree(with: key.publicKey)))
        #expect(throws: CryptoError.invalidKey) {
            try X448.PrivateKey(Secret(copying: [1]), publicKey: key.publicKey)
        }
    }
}
