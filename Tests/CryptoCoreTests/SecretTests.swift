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
}
