public import ByteCoding
public import CryptoCore

/// The key that hides the headers of one chain. 32 bytes.
public struct HeaderKey: Sendable {
    public let secret: Secret

    /// A stored key.
    public init(stored: Secret) throws(DecodeError) {
        guard stored.count == 32 else { throw .invalid("header key") }
        secret = stored
    }

    init(_ secret: Secret) {
        self.secret = secret
    }

    /// The plaintext of a header, or nil if it was encrypted with another key (or changed on the way).
    func open(_ header: EncryptedHeader, associatedData: Bytes) throws(CryptoError) -> Bytes? {
        do throws(CryptoError) {
            return try AESGCM.open(header.sealed, key: secret, iv: header.iv, associated: associatedData)
        } catch {
            guard error == .authenticationFailed else { throw error }
            return nil
        }
    }

    /// Encrypts a padded header. Each IV is used once, because it is derived from the chain together with the message
    /// key.
    func seal(_ padded: Bytes, iv: Bytes, associatedData: Bytes) throws(CryptoError) -> AESGCM.Sealed {
        try AESGCM.seal(padded, key: secret, iv: iv, associated: associatedData)
    }

    /// Whether both are the same key, in constant time.
    func isEqual(to other: HeaderKey) -> Bool {
        secret.isEqual(to: other.secret)
    }
}
