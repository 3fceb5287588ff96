public import ByteCoding

/// The deniable authorization of SMP commands: a box of the SHA-512 of the data, which either side could have made.
public enum Authenticator {
    /// The size of an authenticator in bytes.
    public static let size = 80

    /// The authenticator of `data` for the secret of an ``X25519`` agreement.
    public static func make(for data: Bytes, nonce: Nonce, key: Secret) -> Bytes {
        SecretBox.seal(SHA512.hash(data), nonce: nonce, key: key)
    }

    /// Whether `authenticator` belongs to `data`, in constant time.
    public static func verify(_ authenticator: Bytes, for data: Bytes, nonce: Nonce, key: Secret) -> Bool {
        constantTimeEqual(authenticator, make(for: data, nonce: nonce, key: key))
    }
}
