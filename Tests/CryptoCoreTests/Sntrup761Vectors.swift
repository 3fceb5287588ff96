import ByteCoding
import CryptoCore
import TestSupport
import Testing

/// `sntrup761.json` and the lines of `smp-agent-vectors.tsv` about the KEM.
@Suite struct Sntrup761Vectors {
    private static let cases = VectorFile.cases("sntrup761")

    @Test func casesWithAndWithoutRandomness() {
        #expect(Self.cases.count == 6)
        #expect(Self.cases.filter { $0.has("keyPairRandom") }.count == 3)
    }

    @Test(arguments: cases.filter { $0.has("keyPairRandom") })
    func keyPairs(vector: Vector) {
        let recorded = vector["keyPairRandom"]["bytes"].bytes
        // The words of g, of f, and what answers wrong ciphertexts.
        let random = RecordedRandom([
            Bytes(recorded.prefix(3044)), Bytes(recorded.dropFirst(3044).prefix(3044)), Bytes(recorded.suffix(191)),
        ])
        let pair = Sntrup761.keyPair(random: random)
        #expect(random.remaining == 0)
        #expect(pair.publicKey == vector["publicKey"].bytes)
        #expect(pair.secretKey.copyBytes() == vector["secretKey"].bytes)
    }

    @Test(arguments: cases.filter { $0.has("encapsulationRandom") })
    func encapsulations(vector: Vector) throws {
        let random = RecordedRandom([vector["encapsulationRandom"]["bytes"].bytes])
        let made = try Sntrup761.encapsulate(to: vector["publicKey"].bytes, random: random)
        #expect(made.ciphertext == vector["ciphertext"].bytes)
        #expect(made.secret.copyBytes() == vector["sharedSecret"].bytes)
    }

    @Test(arguments: cases)
    func decapsulations(vector: Vector) throws {
        let secretKey = Secret(copying: vector["secretKey"].bytes)
        var ciphertext = vector["ciphertext"].bytes
        #expect(try Sntrup761.decapsulate(ciphertext, with: secretKey).copyBytes() == vector["decapsulated"].bytes)
        ciphertext[5] ^= 1
        let other = try Sntrup761.decapsulate(ciphertext, with: secretKey)
        #expect(other.copyBytes() == vector["damagedCiphertextByte5Xor1Gives"].bytes)
    }

    @Test func lines() throws {
        let secretKey = Secret(copying: VectorFile.line("kem sk").bytes)
        var ciphertext = VectorFile.line("kem ct").bytes
        let secret = try Sntrup761.decapsulate(ciphertext, with: secretKey)
        #expect(secret.copyBytes() == VectorFile.line("kem ss").bytes)
        #expect(secret.copyBytes() == VectorFile.line("kem ss dec").bytes)
        #expect(Bytes(secretKey.copyBytes()[382..<1540]) == VectorFile.line("kem pk").bytes)
        ciphertext[0] &+= 1
        let other = VectorFile.line("kem ss dec of ct with first byte +1 (implicit rejection)").bytes
        #expect(try Sntrup761.decapsulate(ciphertext, with: secretKey).copyBytes() == other)
    }
}
