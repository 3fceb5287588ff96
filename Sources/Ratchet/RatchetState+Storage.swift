public import ByteCoding
public import CryptoCore

/// The format number at the start of every stored value.
enum StorageFormat {
    static let current: UInt8 = 1
    /// The format of a skipped key that the KEM protects. Other skipped keys keep format 1, because a store finds a key
    /// by its bytes.
    static let postQuantum: UInt8 = 2

    /// Reads the format number.
    ///
    /// - Throws: ``DecodeError/invalid(_:)`` for an unknown format.
    static func check(_ reader: inout SecretReader) throws(DecodeError) {
        var number = try reader.plain(1)
        guard try number.uint8() == current else { throw .invalid("storage format") }
    }
}

extension SecretWriter {
    /// Writes both halves of an X448 key, 112 bytes. Storing the public half saves an expensive computation.
    mutating func privateKey(_ key: X448.PrivateKey) {
        secret(key.secret)
        plain.raw(key.publicKey.raw)
    }

    /// Writes both halves of a KEM key, each behind its two-byte length.
    mutating func keyPair(_ pair: KEMKeyPair) {
        plain.largeBytes(pair.publicKey)
        largeSecret(pair.secretKey)
    }
}

extension SecretReader {
    /// Reads both halves of an X448 key without checking that they belong together.
    mutating func privateKey() throws(DecodeError) -> X448.PrivateKey {
        let secret = try secret(X448.PublicKey.rawSize)
        let publicKey = try publicKey()
        do throws(CryptoError) {
            return try X448.PrivateKey(secret, publicKey: publicKey)
        } catch {
            throw .invalid("private key")
        }
    }

    /// Reads an X448 public key, 56 bytes.
    mutating func publicKey() throws(DecodeError) -> X448.PublicKey {
        X448.PublicKey(checkedRaw: try plainBytes(X448.PublicKey.rawSize))
    }

    /// Reads both halves of a KEM key, of any size.
    mutating func keyPair() throws(DecodeError) -> KEMKeyPair {
        let publicKey = try largeBytes()
        return KEMKeyPair(publicKey: publicKey, secretKey: try largeSecret())
    }

    /// Reads bytes that are not secret behind their two-byte length.
    mutating func largeBytes() throws(DecodeError) -> Bytes {
        var length = try plain(2)
        return try plainBytes(Int(try length.uint16()))
    }

    /// Reads `count` bytes that are not secret.
    mutating func plainBytes(_ count: Int) throws(DecodeError) -> Bytes {
        var bytes = try plain(count)
        return bytes.rest()
    }

    /// Reads a message count.
    mutating func count() throws(DecodeError) -> UInt32 {
        var bytes = try plain(4)
        return try bytes.uint32()
    }

    /// Reads a key of 32 bytes.
    mutating func key() throws(DecodeError) -> Secret {
        try secret(32)
    }
}

extension RatchetState {
    /// Returns the stored form: at most 528 bytes, and 3,967 more with a KEM key and ciphertext.
    public func stored() -> Secret {
        var writer = SecretWriter()
        writer.plain.uint8(StorageFormat.current)
        writer.plain.raw(associatedData)
        writer.plain.uint16(versions.current)
        writer.plain.uint16(versions.maximum)
        writer.plain.uint32(previousCount)
        writer.privateKey(ratchetKey)
        writer.secret(rootKey.secret)
        writer.secret(nextSendingHeaderKey.secret)
        writer.secret(nextReceivingHeaderKey.secret)
        writer.optional(sending) { writer, chain in
            writer.plain.uint32(chain.count)
            writer.secret(chain.chainKey.secret)
            writer.secret(chain.headerKey.secret)
            writer.plain.raw(chain.peerKey.raw)
        }
        writer.optional(receiving) { writer, chain in
            writer.plain.uint32(chain.count)
            writer.secret(chain.chainKey.secret)
            writer.secret(chain.headerKey.secret)
        }
        postQuantum.store(into: &writer)
        return writer.finish()
    }

    /// Reads the stored form. Only the format is checked: the store authenticates its content.
    ///
    /// - Throws: ``DecodeError`` if the format is unknown or bytes are missing.
    public init(stored: Secret) throws(DecodeError) {
        var reader = SecretReader(stored)
        try StorageFormat.check(&reader)
        associatedData = try reader.plainBytes(2 * X448.PublicKey.rawSize)
        var numbers = try reader.plain(2 + 2 + 4)
        let current = try numbers.uint16()
        versions = Versions(current: current, maximum: try numbers.uint16())
        previousCount = try numbers.uint32()
        ratchetKey = try reader.privateKey()
        rootKey = RootKey(try reader.key())
        nextSendingHeaderKey = HeaderKey(try reader.key())
        nextReceivingHeaderKey = HeaderKey(try reader.key())
        sending = try reader.optional { reader throws(DecodeError) in
            let count = try reader.count(), chainKey = ChainKey(try reader.key())
            let headerKey = HeaderKey(try reader.key())
            return SendingChain(
                chainKey: chainKey, headerKey: headerKey, peerKey: try reader.publicKey(), count: count)
        }
        receiving = try reader.optional { reader throws(DecodeError) in
            let count = try reader.count(), chainKey = ChainKey(try reader.key())
            return ReceivingChain(chainKey: chainKey, headerKey: HeaderKey(try reader.key()), count: count)
        }
        postQuantum = try PostQuantumState(from: &reader)
        try reader.finish()
    }
}

extension PostQuantumState {
    fileprivate func store(into writer: inout SecretWriter) {
        for flag in [isSupported, isEnabled, isSending, isReceiving] {
            writer.plain.bool(flag)
        }
        writer.optional(kem) { writer, kem in
            writer.keyPair(kem.pair)
            writer.plain.optional(kem.ciphertext) { $0.largeBytes($1) }
        }
    }

    fileprivate init(from reader: inout SecretReader) throws(DecodeError) {
        var flags = try reader.plain(4)
        isSupported = try flags.bool()
        isEnabled = try flags.bool()
        isSending = try flags.bool()
        isReceiving = try flags.bool()
        kem = try reader.optional { reader throws(DecodeError) in
            let pair = try reader.keyPair()
            let ciphertext = try reader.optional { reader throws(DecodeError) in try reader.largeBytes() }
            return KEM(pair: pair, ciphertext: ciphertext)
        }
    }
}

extension SkippedKey {
    /// Returns the stored form, 85 bytes. The form is deterministic: a store finds the key to delete by these bytes.
    public func stored() -> Secret {
        var writer = SecretWriter()
        writer.plain.uint8(isPostQuantum ? StorageFormat.postQuantum : StorageFormat.current)
        writer.plain.uint32(number)
        writer.secret(headerKey.secret)
        writer.secret(messageKey.secret)
        writer.plain.raw(messageKey.iv)
        return writer.finish()
    }

    /// Reads the stored form.
    ///
    /// - Throws: ``DecodeError`` if the format is unknown or the size is wrong.
    public init(stored: Secret) throws(DecodeError) {
        var reader = SecretReader(stored)
        var plain = try reader.plain(1 + 4)
        switch try plain.uint8() {
        case StorageFormat.current: isPostQuantum = false
        case StorageFormat.postQuantum: isPostQuantum = true
        default: throw .invalid("storage format")
        }
        number = try plain.uint32()
        headerKey = HeaderKey(try reader.key())
        let secret = try reader.key()
        messageKey = MessageKey(secret, iv: try reader.plainBytes(AESGCM.ivSize))
        try reader.finish()
    }
}

extension X3DHPrivateKeys {
    /// Returns the stored form: 226 bytes, and up to 4,001 more with a KEM.
    public func stored() -> Secret {
        var writer = SecretWriter()
        writer.plain.uint8(StorageFormat.current)
        writer.privateKey(key1)
        writer.privateKey(key2)
        writer.optional(kem) { writer, kem in
            writer.keyPair(kem.pair)
            writer.optional(kem.encapsulation) { writer, encapsulation in
                writer.plain.largeBytes(encapsulation.ciphertext)
                writer.largeSecret(encapsulation.secret)
            }
        }
        return writer.finish()
    }

    /// Reads the stored form.
    ///
    /// - Throws: ``DecodeError`` if the format is unknown or the size is wrong.
    public init(stored: Secret) throws(DecodeError) {
        var reader = SecretReader(stored)
        try StorageFormat.check(&reader)
        key1 = try reader.privateKey()
        key2 = try reader.privateKey()
        kem = try reader.optional { reader throws(DecodeError) in
            let pair = try reader.keyPair()
            let encapsulation: Encapsulation? = try reader.optional { reader throws(DecodeError) in
                let ciphertext = try reader.largeBytes()
                return Encapsulation(ciphertext: ciphertext, secret: try reader.largeSecret())
            }
            return encapsulation.map { .accepted(pair, $0) } ?? .proposed(pair)
        }
        try reader.finish()
    }
}
