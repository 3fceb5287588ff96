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

/// What one side tells the other about the post-quantum KEM, in its parameters and in every message header.
///
/// Sizes are not checked here: who does not use the KEM has to read the field all the same, and who does learns from
/// the KEM that a key is bad.
public enum KEMParameter: Hashable, Sendable, ByteCodable {
    /// "Encapsulate a secret to this public key."
    case proposed(publicKey: Bytes)
    /// "This is a secret for your public key; encapsulate yours to my new one."
    case accepted(ciphertext: Bytes, publicKey: Bytes)

    /// The key to encapsulate to.
    public var publicKey: Bytes {
        switch self {
        case .proposed(let publicKey), .accepted(_, let publicKey): publicKey
        }
    }

    public init(from reader: inout ByteReader) throws(DecodeError) {
        switch try reader.uint8() {
        case UInt8(ascii: "P"):
            self = .proposed(publicKey: try reader.largeBytes())
        case UInt8(ascii: "A"):
            let ciphertext = try reader.largeBytes()
            self = .accepted(ciphertext: ciphertext, publicKey: try reader.largeBytes())
        default: throw .invalid("KEM parameter")
        }
    }

    public func encode(into writer: inout ByteWriter) {
        switch self {
        case .proposed(let publicKey):
            writer.character("P")
            writer.largeBytes(publicKey)
        case .accepted(let ciphertext, let publicKey):
            writer.character("A")
            writer.largeBytes(ciphertext)
            writer.largeBytes(publicKey)
        }
    }
}

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
