public import ByteCoding
public import CryptoCore

/// The KEM of the ratchet: ``Sntrup761``, with random bytes from a source.
public struct Sntrup761Encapsulation: KeyEncapsulation {
    private let source: any RandomSource

    public init(_ source: any RandomSource) {
        self.source = source
    }

    public func keyPair() -> KEMKeyPair {
        let pair = Sntrup761.keyPair(random: source)
        return KEMKeyPair(publicKey: pair.publicKey, secretKey: pair.secretKey)
    }

    public func encapsulate(to publicKey: Bytes) -> Encapsulation? {
        guard let made = try? Sntrup761.encapsulate(to: publicKey, random: source) else { return nil }
        return Encapsulation(ciphertext: made.ciphertext, secret: made.secret)
    }

    public func decapsulate(_ ciphertext: Bytes, with pair: KEMKeyPair) -> Secret? {
        try? Sntrup761.decapsulate(ciphertext, with: pair.secretKey)
    }
}
