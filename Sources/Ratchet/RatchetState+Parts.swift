package import ByteCoding
package import CryptoCore

/// The parts of a ratchet, for stores of other programs.
extension RatchetState {
    /// Creates a ratchet from its parts, in the sizes that the types document.
    ///
    /// - Throws: ``DecodeError/invalid(_:)`` for a key or associated data of another size.
    package init(
        associatedData: Bytes, version: UInt16, maximumVersion: UInt16, ratchetKey: X448.PrivateKey, rootKey: Secret,
        sending: SendingChain?, receiving: ReceivingChain?, nextSendingHeaderKey: Secret,
        nextReceivingHeaderKey: Secret, previousCount: UInt32, postQuantum: PostQuantumState
    ) throws(DecodeError) {
        guard associatedData.count == 2 * X448.PublicKey.rawSize, rootKey.count == 32 else {
            throw .invalid("ratchet")
        }
        self.init(
            associatedData: associatedData,
            versions: Versions(current: version, maximum: max(version, maximumVersion)), ratchetKey: ratchetKey,
            rootKey: RootKey(rootKey), sending: sending, receiving: receiving,
            nextSendingHeaderKey: try HeaderKey(stored: nextSendingHeaderKey),
            nextReceivingHeaderKey: try HeaderKey(stored: nextReceivingHeaderKey), previousCount: previousCount,
            postQuantum: postQuantum)
    }
}

extension SendingChain {
    /// Creates a chain from its parts.
    ///
    /// - Throws: ``DecodeError/invalid(_:)`` for keys of another size.
    package init(
        storedChainKey chainKey: Secret, headerKey: Secret, peerKey: X448.PublicKey, count: UInt32
    ) throws(DecodeError) {
        guard chainKey.count == 32 else { throw .invalid("chain key") }
        self.init(
            chainKey: ChainKey(chainKey), headerKey: try HeaderKey(stored: headerKey), peerKey: peerKey, count: count)
    }
}

extension ReceivingChain {
    /// Creates a chain from its parts.
    ///
    /// - Throws: ``DecodeError/invalid(_:)`` for keys of another size.
    package init(storedChainKey chainKey: Secret, headerKey: Secret, count: UInt32) throws(DecodeError) {
        guard chainKey.count == 32 else { throw .invalid("chain key") }
        self.init(chainKey: ChainKey(chainKey), headerKey: try HeaderKey(stored: headerKey), count: count)
    }
}

extension PostQuantumState {
    /// Creates the KEM part of a ratchet from its parts. Sizes are checked when the KEM is used.
    package init(
        pair: KEMKeyPair?, ciphertext: Bytes?, isSupported: Bool, isEnabled: Bool, isSending: Bool, isReceiving: Bool
    ) throws(DecodeError) {
        // The stored form has lengths of two bytes.
        guard [pair?.publicKey.count, pair?.secretKey.count, ciphertext?.count].allSatisfy({ ($0 ?? 0) <= UInt16.max })
        else { throw .invalid("KEM key") }
        kem = pair.map { KEM(pair: $0, ciphertext: ciphertext) }
        self.isSupported = isSupported
        self.isEnabled = isEnabled
        self.isSending = isSending
        self.isReceiving = isReceiving
    }
}

extension SkippedKey {
    /// Creates a skipped key from its parts.
    ///
    /// - Throws: ``DecodeError/invalid(_:)`` for parts of another size.
    package init(
        headerKey: Secret, number: UInt32, messageKey: Secret, iv: Bytes, isPostQuantum: Bool
    ) throws(DecodeError) {
        guard messageKey.count == 32, iv.count == AESGCM.ivSize else { throw .invalid("message key") }
        self.init(
            headerKey: try HeaderKey(stored: headerKey), number: number, messageKey: MessageKey(messageKey, iv: iv),
            isPostQuantum: isPostQuantum)
    }

    /// The key of the message, 32 bytes, and its IV, 16 bytes.
    package var message: (key: Secret, iv: Bytes) { (messageKey.secret, messageKey.iv) }
}

/// A message whose header is encrypted and whose body is not yet: the official programs keep messages so until they are sent.
package struct PendingMessage: Sendable {
    /// The associated data of the ratchet, 112 bytes.
    package let associatedData: Bytes
    private let header: EncryptedHeader
    private let key: MessageKey

    /// Creates a pending message.
    ///
    /// - Parameter header: The encrypted header, from its version to its ciphertext.
    /// - Throws: ``DecodeError``.
    package init(associatedData: Bytes, key: Secret, iv: Bytes, header: Bytes) throws(DecodeError) {
        guard key.count == 32, iv.count == AESGCM.ivSize else { throw .invalid("message key") }
        self.associatedData = associatedData
        self.key = MessageKey(key, iv: iv)
        self.header = try EncryptedHeader(decoding: header)
    }

    /// Encrypts the body, padded to `size` bytes.
    ///
    /// - Throws: ``RatchetError/messageTooLarge`` if it does not fit.
    package func seal(_ message: Bytes, paddedSize size: Int) throws(RatchetError) -> Bytes {
        do throws(CryptoError) {
            return try key.seal(message, paddedSize: size, header: header, associatedData: associatedData)
        } catch .messageTooLarge {
            throw .messageTooLarge
        } catch {
            throw .libraryFailed
        }
    }
}
