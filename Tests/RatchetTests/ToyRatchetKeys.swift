import ByteCoding
import CryptoCore
import Ratchet
import TestSupport

/// Seeded keys and a KEM with the sizes of sntrup761 and no security at all, which takes no time.
struct ToyRatchetKeys: RatchetRandomness, KeyEncapsulation {
    private let source: SeededRandom

    init(_ source: SeededRandom) {
        self.source = source
    }

    var kem: any KeyEncapsulation { self }

    func x448PrivateKey() -> X448.PrivateKey {
        X448.PrivateKey(random: source)
    }

    func keyPair() -> KEMKeyPair {
        let seed = source.bytes(32)
        let secretKey = Secret(copying: seed + Bytes(repeating: 0, count: 1763 - seed.count))
        return KEMKeyPair(publicKey: publicKey(seed), secretKey: secretKey)
    }

    func encapsulate(to publicKey: Bytes) -> Encapsulation? {
        guard publicKey.count == 1158 else { return nil }
        let seed = source.bytes(32)
        let masked = zip(seed, SHA512.hash(publicKey)).map { $0 ^ $1 }
        return Encapsulation(
            ciphertext: masked + Bytes(repeating: 0, count: 1039 - masked.count),
            secret: Secret(copying: SHA256.hash(seed + publicKey)))
    }

    func decapsulate(_ ciphertext: Bytes, with pair: KEMKeyPair) -> Secret? {
        guard ciphertext.count == 1039 else { return nil }
        // The public key is derived from the secret one, so a pair that was stored wrongly does not decapsulate.
        let publicKey = publicKey(Bytes(pair.secretKey.copyBytes().prefix(32)))
        let seed = zip(ciphertext, SHA512.hash(publicKey)).map { $0 ^ $1 }.prefix(32)
        return Secret(copying: SHA256.hash(Bytes(seed) + publicKey))
    }

    private func publicKey(_ seed: Bytes) -> Bytes {
        SHA512.hash(seed) + Bytes(repeating: 0, count: 1158 - SHA512.size)
    }
}
