import CSodium

/// An error of a cryptographic primitive. It has no details, because details help an attacker more than a user.
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
    /// Initializes libsodium once. Its guarded memory and randomness abort without a message before that.
    static let isReady: Bool = sodium_init() >= 0

    static func require() {
        precondition(isReady, "libsodium cannot be initialised")
    }
}
