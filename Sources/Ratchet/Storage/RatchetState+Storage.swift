public import ByteCoding
public import CryptoCore

extension RatchetState {
    /// The state for a store: at most 528 bytes, and 3,967 more with a KEM key and ciphertext.
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

    /// Reads a stored state. It is not checked against anything but its own format: the store authenticates what it
    /// keeps.
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
