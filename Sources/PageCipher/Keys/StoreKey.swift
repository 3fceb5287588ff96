import ByteCoding
public import CryptoCore

/// The key of a store, from which all encryption keys of both databases are derived.
///
/// It never changes during the life of a store; only its wrapping changes, see ``KeySlots``.
public struct StoreKey: Sendable {
    /// The size in bytes.
    public static let size = 32
    /// The key, 32 bytes.
    public let secret: Secret

    /// Creates a random key.
    public init(random source: any RandomSource = SystemRandom()) {
        secret = Secret(random: source, count: StoreKey.size)
    }

    /// Creates a key that was stored elsewhere, as in the kernel keyring. Returns nil unless there are 32 bytes.
    public init?(_ secret: Secret) {
        guard secret.count == StoreKey.size else { return nil }
        self.secret = secret
    }

    /// Returns true if both keys are equal, in constant time.
    public func isEqual(to other: StoreKey) -> Bool {
        secret.isEqual(to: other.secret)
    }

    /// Derives `count` bytes for one purpose in one file.
    func derive(_ count: Int, salt: Bytes, for purpose: String) -> Secret {
        HKDF.derive(count, from: [secret], salt: .bytes(salt), info: "tacit page cipher 1 " + purpose)
    }
}

/// A credential that opens a slot: a passphrase or a key file.
public enum Credential: Sendable {
    /// A passphrase of any length, derived with Argon2id.
    case passphrase(Secret)
    /// Random bytes, 32 or more, derived with HKDF.
    case keyFile(Secret)
}
