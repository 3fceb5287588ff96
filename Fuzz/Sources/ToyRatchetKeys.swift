import ByteCoding
import CryptoCore
import Ratchet

/// Keys that are always the same, and a KEM with the sizes of sntrup761 that takes no time.
struct ToyRatchetKeys: RatchetRandomness, KeyEncapsulation {
    let source: FixedRandom

    var kem: any KeyEncapsulation { self }

    func x448PrivateKey() -> X448.PrivateKey { X448.PrivateKey(random: source) }

    func keyPair() -> KEMKeyPair {
        KEMKeyPair(publicKey: source.bytes(1158), secretKey: Secret(copying: source.bytes(1763)))
    }

    func encapsulate(to publicKey: Bytes) -> Encapsulation? {
        guard publicKey.count == 1158 else { return nil }
        return Encapsulation(ciphertext: source.bytes(1039), secret: Secret(copying: Bytes(repeating: 5, count: 32)))
    }

    func decapsulate(_ ciphertext: Bytes, with pair: KEMKeyPair) -> Secret? {
        guard ciphertext.count == 1039 else { return nil }
        return Secret(copying: Bytes(repeating: 5, count: 32))
    }
}
