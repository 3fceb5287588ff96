public import ByteCoding
public import CryptoCore

/// The post-quantum key encapsulation that runs beside X448 (sntrup761).
public protocol KeyEncapsulation: Sendable {
    /// A new key pair.
    func keyPair() -> KEMKeyPair

    /// A new secret and its ciphertext for the holder of `publicKey`, or nil if that is no key.
    func encapsulate(to publicKey: Bytes) -> Encapsulation?

    /// The secret inside of `ciphertext`, or nil if it has another size. A ciphertext for another key gives a secret
    /// that nobody knows.
    func decapsulate(_ ciphertext: Bytes, with pair: KEMKeyPair) -> Secret?
}

/// A key pair of the KEM.
public struct KEMKeyPair: Sendable {
    public let publicKey: Bytes
    public let secretKey: Secret

    public init(publicKey: Bytes, secretKey: Secret) {
        self.publicKey = publicKey
        self.secretKey = secretKey
    }
}

/// A secret that two sides share as soon as the ciphertext arrived.
public struct Encapsulation: Sendable {
    public let ciphertext: Bytes
    /// 32 bytes.
    public let secret: Secret

    public init(ciphertext: Bytes, secret: Secret) {
        self.ciphertext = ciphertext
        self.secret = secret
    }
}
