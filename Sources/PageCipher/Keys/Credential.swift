public import CryptoCore

/// What opens a slot: something that a person knows, or a file that a machine has.
public enum Credential: Sendable {
    /// Words of any length, through Argon2id.
    case passphrase(Secret)
    /// Random bytes, 32 or more, that nobody can guess: HKDF is enough.
    case keyFile(Secret)
}
