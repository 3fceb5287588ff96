public import ByteCoding
public import CryptoCore

/// The root key, 32 bytes. Each agreement replaces it and derives a chain key and a header key (smp-agent.md 8.3).
package struct RootKey: Sendable {
    /// The key, 32 bytes.
    package let secret: Secret

    /// Creates a root key from 32 bytes.
    package init(_ secret: Secret) {
        self.secret = secret
    }

    /// The output of one root step.
    package struct Step {
        /// The next root key.
        package let rootKey: RootKey
        /// The first key of the new chain.
        package let chainKey: ChainKey
        /// The header key of the chain after the new one.
        package let nextHeaderKey: HeaderKey
    }

    /// Derives the next root key and a chain from an X448 agreement and an optional KEM secret.
    package func step(agreement: Secret, kemSecret: Secret?) -> Step {
        let material = [agreement] + (kemSecret.map { [$0] } ?? [])
        let keys = HKDF.derive(96, from: material, salt: .secret(secret), info: "SimpleXRootRatchet").split(32, 32, 32)
        return Step(rootKey: RootKey(keys[0]), chainKey: ChainKey(keys[1]), nextHeaderKey: HeaderKey(keys[2]))
    }
}

/// The key of one chain, 32 bytes. Every message replaces it (smp-agent.md 8.3).
package struct ChainKey: Sendable {
    /// The key, 32 bytes.
    package let secret: Secret

    /// Creates a chain key from 32 bytes.
    package init(_ secret: Secret) {
        self.secret = secret
    }

    /// The output of one chain step.
    package struct Step {
        /// The next chain key.
        package let chainKey: ChainKey
        /// The key and IV of the message body.
        package let messageKey: MessageKey
        /// The IV of the message header, 16 bytes.
        package let headerIV: Bytes
    }

    /// Derives the next chain key, and the key and IVs of one message. The message IV comes before the header IV.
    package func step() -> Step {
        let keys = HKDF.derive(96, from: [secret], info: "SimpleXChainRatchet").split(32, 32, 16, 16)
        return Step(
            chainKey: ChainKey(keys[0]), messageKey: MessageKey(keys[1], iv: keys[2].copyBytes()),
            headerIV: keys[3].copyBytes())
    }
}

/// The key (32 bytes) and the IV (16 bytes) of one message body.
package struct MessageKey: Sendable {
    /// The key, 32 bytes.
    package let secret: Secret
    /// The IV, 16 bytes. It is derived on both sides and never sent.
    package let iv: Bytes

    init(_ secret: Secret, iv: Bytes) {
        self.secret = secret
        self.iv = iv
    }

    /// Encrypts `message` padded to `paddedSize` bytes. Returns the header behind its length, the tag and the
    /// ciphertext.
    func seal(
        _ message: Bytes, paddedSize: Int, header: EncryptedHeader, associatedData: Bytes
    ) throws(CryptoError) -> Bytes {
        try AESGCM.sealPadded(
            message, to: paddedSize, after: header.prefixed, key: secret, iv: iv,
            associated: [associatedData, header.encoded])
    }

    /// Decrypts a message body and removes the padding.
    func open(_ body: ArraySlice<UInt8>, header: EncryptedHeader, associatedData: Bytes) throws(CryptoError) -> Bytes {
        try AESGCM.openPadded(body, key: secret, iv: iv, associated: [associatedData, header.encoded])
    }
}

/// The key that encrypts the headers of one chain, 32 bytes.
public struct HeaderKey: Sendable {
    /// The key, 32 bytes.
    public let secret: Secret

    /// Creates a header key from stored bytes.
    ///
    /// - Throws: ``DecodeError/invalid(_:)`` unless there are 32 bytes.
    public init(stored: Secret) throws(DecodeError) {
        guard stored.count == 32 else { throw .invalid("header key") }
        secret = stored
    }

    init(_ secret: Secret) {
        self.secret = secret
    }

    /// Returns the plaintext of a header, or nil if the header has another key or is damaged.
    func open(_ header: EncryptedHeader, associatedData: Bytes) throws(CryptoError) -> Bytes? {
        do throws(CryptoError) {
            return try AESGCM.open(header.sealed, key: secret, iv: header.iv, associated: associatedData)
        } catch {
            guard error == .authenticationFailed else { throw error }
            return nil
        }
    }

    /// Encrypts a padded header. Each IV is used once: it is derived with the message key.
    func seal(_ padded: Bytes, iv: Bytes, associatedData: Bytes) throws(CryptoError) -> AESGCM.Sealed {
        try AESGCM.seal(padded, key: secret, iv: iv, associated: associatedData)
    }

    /// Returns true if both keys are equal, in constant time.
    func isEqual(to other: HeaderKey) -> Bool {
        secret.isEqual(to: other.secret)
    }
}
