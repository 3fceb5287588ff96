public import ByteCoding
public import CryptoCore

/// The key that each new agreement is mixed into; chains and header keys come out of it. 32 bytes.
package struct RootKey: Sendable {
    package let secret: Secret

    package init(_ secret: Secret) {
        self.secret = secret
    }

    /// What one agreement makes of the root key.
    package struct Step {
        package let rootKey: RootKey
        package let chainKey: ChainKey
        /// For the chain after the one that begins now.
        package let nextHeaderKey: HeaderKey
    }

    /// The next root key, and a chain, for the output of an X448 agreement and perhaps a KEM secret.
    package func step(agreement: Secret, kemSecret: Secret?) -> Step {
        let material = [agreement] + (kemSecret.map { [$0] } ?? [])
        let keys = HKDF.derive(96, from: material, salt: .secret(secret), info: "SimpleXRootRatchet").split(32, 32, 32)
        return Step(rootKey: RootKey(keys[0]), chainKey: ChainKey(keys[1]), nextHeaderKey: HeaderKey(keys[2]))
    }
}

/// The key of one chain of messages, replaced with every message. 32 bytes.
package struct ChainKey: Sendable {
    package let secret: Secret

    package init(_ secret: Secret) {
        self.secret = secret
    }

    /// What one message takes from the chain.
    package struct Step {
        package let chainKey: ChainKey
        package let messageKey: MessageKey
        package let headerIV: Bytes
    }

    /// The next chain key, and the key and the IVs of one message. The message IV is derived before the header IV.
    package func step() -> Step {
        let keys = HKDF.derive(96, from: [secret], info: "SimpleXChainRatchet").split(32, 32, 16, 16)
        return Step(
            chainKey: ChainKey(keys[0]), messageKey: MessageKey(keys[1], iv: keys[2].copyBytes()),
            headerIV: keys[3].copyBytes())
    }
}

/// The key and the IV of one message body, 32 and 16 bytes.
package struct MessageKey: Sendable {
    package let secret: Secret
    /// Never sent: both sides derive it.
    package let iv: Bytes

    init(_ secret: Secret, iv: Bytes) {
        self.secret = secret
        self.iv = iv
    }

    /// The length and the bytes of `header`, the tag and the ciphertext of `message` padded to `paddedSize` bytes.
    func seal(
        _ message: Bytes, paddedSize: Int, header: EncryptedHeader, associatedData: Bytes
    ) throws(CryptoError) -> Bytes {
        try AESGCM.sealPadded(
            message, to: paddedSize, after: header.prefixed, key: secret, iv: iv,
            associated: [associatedData, header.encoded])
    }

    /// The message inside of a body.
    func open(_ body: ArraySlice<UInt8>, header: EncryptedHeader, associatedData: Bytes) throws(CryptoError) -> Bytes {
        try AESGCM.openPadded(body, key: secret, iv: iv, associated: [associatedData, header.encoded])
    }
}

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
