public import ByteCoding
public import CryptoCore

/// The post-quantum key encapsulation mechanism (KEM) that runs beside X448: sntrup761 (smp-agent.md 9).
public protocol KeyEncapsulation: Sendable {
    /// Returns a new key pair.
    func keyPair() -> KEMKeyPair

    /// Encapsulates a new secret to `publicKey`, or returns nil if the bytes are not a public key.
    func encapsulate(to publicKey: Bytes) -> Encapsulation?

    /// Returns the secret in `ciphertext`, or nil if its size is wrong. A ciphertext for another key yields a random
    /// secret (implicit rejection).
    func decapsulate(_ ciphertext: Bytes, with pair: KEMKeyPair) -> Secret?
}

/// A key pair of the KEM.
public struct KEMKeyPair: Sendable {
    /// The public key, 1,158 bytes for sntrup761.
    public let publicKey: Bytes
    /// The secret key, 1,763 bytes for sntrup761.
    public let secretKey: Secret

    /// Creates a KEM key pair from its parts.
    public init(publicKey: Bytes, secretKey: Secret) {
        self.publicKey = publicKey
        self.secretKey = secretKey
    }
}

/// A shared secret and the ciphertext that carries the secret to the other side.
public struct Encapsulation: Sendable {
    /// The ciphertext, 1,039 bytes for sntrup761.
    public let ciphertext: Bytes
    /// The shared secret, 32 bytes.
    public let secret: Secret

    /// Creates an encapsulation from its parts.
    public init(ciphertext: Bytes, secret: Secret) {
        self.ciphertext = ciphertext
        self.secret = secret
    }
}

/// The KEM field of the key agreement parameters and of every message header (smp-agent.md 8.4).
///
/// Sizes are not checked here. A side without KEM has to skip the field, and a side with KEM gets an error for a bad
/// key.
public enum KEMParameter: Hashable, Sendable, ByteCodable {
    /// A public key to which the peer may encapsulate a secret (`P`).
    case proposed(publicKey: Bytes)
    /// A secret for the peer's public key, and a new public key for the peer's next secret (`A`).
    case accepted(ciphertext: Bytes, publicKey: Bytes)

    /// The public key to which the peer encapsulates.
    public var publicKey: Bytes {
        switch self {
        case .proposed(let publicKey), .accepted(_, let publicKey): publicKey
        }
    }

    /// Reads the tag `P` or `A` and the byte strings behind two-byte lengths.
    ///
    /// - Throws: ``DecodeError/invalid(_:)`` for another tag, ``DecodeError/truncated`` if bytes are missing.
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

    /// Writes the tag and the byte strings behind two-byte lengths.
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

/// The KEM of the ratchet: ``Sntrup761`` with random bytes from a source.
public struct Sntrup761Encapsulation: KeyEncapsulation {
    private let source: any RandomSource

    /// Creates a KEM that takes its randomness from `source`.
    public init(_ source: any RandomSource) {
        self.source = source
    }

    /// Returns a new sntrup761 key pair.
    public func keyPair() -> KEMKeyPair {
        let pair = Sntrup761.keyPair(random: source)
        return KEMKeyPair(publicKey: pair.publicKey, secretKey: pair.secretKey)
    }

    /// Encapsulates a new secret to `publicKey`, or returns nil if its size is not 1,158 bytes.
    public func encapsulate(to publicKey: Bytes) -> Encapsulation? {
        guard let made = try? Sntrup761.encapsulate(to: publicKey, random: source) else { return nil }
        return Encapsulation(ciphertext: made.ciphertext, secret: made.secret)
    }

    /// Returns the secret in `ciphertext`, or nil if a size is wrong.
    public func decapsulate(_ ciphertext: Bytes, with pair: KEMKeyPair) -> Secret? {
        try? Sntrup761.decapsulate(ciphertext, with: pair.secretKey)
    }
}
