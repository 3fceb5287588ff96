import ByteCoding
public import CryptoCore

/// The key of a store: everything in both databases is encrypted with keys that are derived from it.
///
/// It never changes during the life of a store; what changes is how it is wrapped, see ``KeySlots``.
public struct StoreKey: Sendable {
    public static let size = 32
    public let secret: Secret

    /// A new key.
    public init(random source: any RandomSource = SystemRandom()) {
        secret = Secret(random: source, count: StoreKey.size)
    }

    /// A key that was kept elsewhere meanwhile, as in the keyring of the kernel; nil if it has not 32 bytes.
    public init?(_ secret: Secret) {
        guard secret.count == StoreKey.size else { return nil }
        self.secret = secret
    }

    public func isEqual(to other: StoreKey) -> Bool {
        secret.isEqual(to: other.secret)
    }

    /// `count` bytes for one purpose in one file.
    func derive(_ count: Int, salt: Bytes, for purpose: String) -> Secret {
        HKDF.derive(count, from: [secret], salt: .bytes(salt), info: "tacit page cipher 1 " + purpose)
    }
}

/// What opens a slot: something that a person knows, or a file that a machine has.
public enum Credential: Sendable {
    /// Words of any length, through Argon2id.
    case passphrase(Secret)
    /// Random bytes, 32 or more, that nobody can guess: HKDF is enough.
    case keyFile(Secret)
}
