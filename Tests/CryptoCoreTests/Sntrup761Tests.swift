import ByteCoding
import CryptoCore
import TestSupport
import Testing

@Suite struct Sntrup761Tests {
    @Test func encapsulated_secret_is_decapsulated() throws {
        for seed in 0..<20 as Range<UInt64> {
            let random = SeededRandom(seed: seed)
            let pair = Sntrup761.keyPair(random: random)
            #expect(pair.publicKey.count == Sntrup761.publicKeySize)
            #expect(pair.secretKey.count == Sntrup761.secretKeySize)
            let made = try Sntrup761.encapsulate(to: pair.publicKey, random: random)
            #expect(made.ciphertext.count == Sntrup761.ciphertextSize)
            #expect(made.secret.count == Sntrup761.sharedSecretSize)
            let secret = try Sntrup761.decapsulate(made.ciphertext, with: pair.secretKey)
            #expect(secret.isEqual(to: made.secret), "seed \(seed)")
        }
    }

    @Test func aPolynomialWithoutInverseIsReplaced() throws {
        // Zero has none.
        let zero = Bytes((0..<761).flatMap { _ in [0, 0, 0, 0x20] as Bytes })
        let random = SeededRandom(seed: 1)
        let words = (0..<2).map { _ in random.bytes(3044) }, last = random.bytes(191)
        let retried = RecordedRandom([zero] + words + [last])
        let pair = Sntrup761.keyPair(random: retried)
        #expect(retried.remaining == 0)
        #expect(pair.publicKey == Sntrup761.keyPair(random: RecordedRandom(words + [last])).publicKey)
    }

    /// One bit in every eleventh byte, in both parts of a ciphertext: a byte takes five milliseconds.
    @Test func damagedCiphertextsGiveOtherSecrets() throws {
        let random = SeededRandom(seed: 2)
        let pair = Sntrup761.keyPair(random: random)
        let made = try Sntrup761.encapsulate(to: pair.publicKey, random: random)
        var seen: Set<Bytes> = [made.secret.copyBytes()]
        for index in stride(from: 0, to: made.ciphertext.count, by: 11) {
            var damaged = made.ciphertext
            damaged[index] ^= 1 << UInt8(index % 8)
            let secret = try Sntrup761.decapsulate(damaged, with: pair.secretKey)
            #expect(seen.insert(secret.copyBytes()).inserted, "byte \(index)")
            // The same wrong ciphertext has the same answer.
            if index.isMultiple(of: 99) {
                #expect(secret.isEqual(to: try Sntrup761.decapsulate(damaged, with: pair.secretKey)))
            }
        }
    }

    @Test func otherSizesAreRefused() throws {
        let random = SeededRandom(seed: 3)
        let pair = Sntrup761.keyPair(random: random)
        let made = try Sntrup761.encapsulate(to: pair.publicKey, random: random)
        for publicKey in [[], Bytes(pair.publicKey.dropLast()), pair.publicKey + [0]] {
            #expect(throws: CryptoError.invalidKey) { try Sntrup761.encapsulate(to: publicKey, random: random) }
        }
        for ciphertext in [[], Bytes(made.ciphertext.dropLast()), made.ciphertext + [0]] {
            #expect(throws: CryptoError.authenticationFailed) {
                try Sntrup761.decapsulate(ciphertext, with: pair.secretKey)
            }
        }
        for size in [0, 1762, 1764] {
            let secretKey = Secret(copying: Bytes(repeating: 1, count: size))
            #expect(throws: CryptoError.invalidKey) { try Sntrup761.decapsulate(made.ciphertext, with: secretKey) }
        }
    }

    /// Bytes that are no encoding at all: whatever a peer or a damaged store holds, there is a secret.
    @Test(arguments: [0, 1, 0x55, 0x80, 0xaa, 0xff] as [UInt8])
    func any_bytes_decode_without_trap(byte: UInt8) throws {
        let random = SeededRandom(seed: 4)
        let publicKey = Bytes(repeating: byte, count: Sntrup761.publicKeySize)
        let made = try Sntrup761.encapsulate(to: publicKey, random: random)
        #expect(made.ciphertext.count == Sntrup761.ciphertextSize)
        let pair = Sntrup761.keyPair(random: random)
        let ciphertext = Bytes(repeating: byte, count: Sntrup761.ciphertextSize)
        #expect(try Sntrup761.decapsulate(ciphertext, with: pair.secretKey).count == Sntrup761.sharedSecretSize)
        let secretKey = Secret(copying: Bytes(repeating: byte, count: Sntrup761.secretKeySize))
        #expect(try Sntrup761.decapsulate(made.ciphertext, with: secretKey).count == Sntrup761.sharedSecretSize)
    }
}
