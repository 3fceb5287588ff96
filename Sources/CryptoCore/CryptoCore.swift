/// The cryptographic primitives of the SimpleX protocols, over libsodium and OpenSSL, and one of our own.
///
/// - Secrets: ``SecretBytes`` has one owner and wipes itself; ``Secret`` is the same with shared ownership, for keys
///   that several values refer to. Neither prints, compares in variable time, or turns into text.
/// - Keys: ``X25519``, ``X448`` (agreement), ``Ed25519``, ``Ed448`` (signatures). Types of different purposes do not mix.
///   Public keys travel as DER SubjectPublicKeyInfo (RFC 8410).
/// - Ciphers: ``SecretBox`` (XSalsa20-Poly1305 as crypto_box uses it), ``AESGCM`` with a 16-byte IV, ``Authenticator``.
/// - Key encapsulation: ``Sntrup761``, which a quantum computer is not known to break.
/// - Hashes: ``SHA256``, ``SHA512``, ``SHA3``, ``HKDF`` (RFC 5869 with SHA-512).
/// - Randomness comes from a ``RandomSource``, so that a test can replay what a recording used.
///
/// Errors say that something failed and never why: see ``CryptoError``.
import CSodium

/// What can go wrong in a primitive. There are no details, because details help an attacker more than a user.
public enum CryptoError: Error, Hashable, Sendable {
    /// An authenticator, tag or signature does not match, or the input is too short to hold one.
    case authenticationFailed
    /// A key has the wrong length, or an agreement has no contribution of the other side.
    case invalidKey
    /// A message does not fit into its padded size.
    case messageTooLarge
    /// The length field of a padded message is larger than the message.
    case invalidPadding
    /// The library refused an operation that cannot fail with valid input (out of memory, broken installation).
    case libraryFailed
}

enum Sodium {
    /// Initialises libsodium once; using its guarded memory or randomness before that aborts without a message.
    static let isReady: Bool = sodium_init() >= 0

    static func require() {
        precondition(isReady, "libsodium cannot be initialised")
    }
}
