public import ByteCoding

/// The deniable authorization of SMP commands (smp-agent.md 0.6): a box of the SHA-512 of the data, which either side
/// could have made.
public enum Authenticator {
    /// The size of an authenticator in bytes.
    public static let size = 80

    /// Returns the authenticator of `data`, 80 bytes, for the secret of an ``X25519`` agreement.
    public static func make(for data: Bytes, nonce: Nonce, key: Secret) -> Bytes {
        SecretBox.seal(SHA512.hash(data), nonce: nonce, key: key)
    }

    /// Returns true if `authenticator` belongs to `data`. The comparison takes constant time.
    public static func verify(_ authenticator: Bytes, for data: Bytes, nonce: Nonce, key: Secret) -> Bool {
        constantTimeEqual(authenticator, make(for: data, nonce: nonce, key: key))
    }
}
