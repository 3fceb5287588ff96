import ByteCoding
import CryptoCore

/// A parsed message: the encrypted header and the encrypted body.
struct RatchetMessage: Sendable {
    let header: EncryptedHeader
    /// The tag and the ciphertext of the body, as a slice of the message.
    let body: ArraySlice<UInt8>

    /// Parses a message without decrypting it.
    init(_ bytes: Bytes) throws(DecodeError) {
        var reader = ByteReader(bytes)
        header = try EncryptedHeader(decoding: try reader.flexibleBytes())
        guard reader.remaining >= AESGCM.tagSize else { throw .truncated }
        body = bytes.suffix(reader.remaining)
    }
}

/// The encrypted header of a message.
struct EncryptedHeader: Sendable {
    /// The sender's ratchet version, which decides on the lengths and on the KEM field.
    let version: UInt16
    let iv: Bytes
    let sealed: AESGCM.Sealed
    /// The bytes from the version to the end of the ciphertext, authenticated with the body.
    let encoded: Bytes

    /// Creates the header of an outgoing message.
    init(version: UInt16, iv: Bytes, sealed: AESGCM.Sealed) {
        self.version = version
        self.iv = iv
        self.sealed = sealed
        var writer = ByteWriter(capacity: 36 + sealed.ciphertext.count)
        writer.uint16(version)
        writer.raw(iv)
        writer.raw(sealed.tag)
        writer.flexibleBytes(sealed.ciphertext, version: version)
        encoded = writer.bytes
    }

    /// Reads the header of a received message.
    init(decoding bytes: Bytes) throws(DecodeError) {
        var reader = ByteReader(bytes)
        version = try reader.uint16()
        iv = try reader.take(AESGCM.ivSize)
        let tag = try reader.take(AESGCM.tagSize)
        sealed = AESGCM.Sealed(tag: tag, ciphertext: try reader.flexibleBytes())
        encoded = bytes
        try reader.finish()
    }

    /// The encoded header behind its length: the beginning of a message.
    var prefixed: Bytes {
        var writer = ByteWriter(capacity: 2 + encoded.count)
        writer.flexibleBytes(encoded, version: version)
        return writer.bytes
    }
}

extension ByteReader {
    /// Reads a byte string behind a length of one or two bytes.
    ///
    /// A first byte below 32 begins a two-byte length: no part with such a length is shorter than 32 or longer than
    /// 8,191 bytes. The own version cannot decide, because the peer may have upgraded with this message (smp-agent.md
    /// 8.4).
    fileprivate mutating func flexibleBytes() throws(DecodeError) -> Bytes {
        guard let first = next else { throw .truncated }
        return first < 32 ? try largeBytes() : try shortBytes()
    }
}

extension ByteWriter {
    /// Writes a byte string behind a length of one byte, or of two bytes from version 3 on.
    fileprivate mutating func flexibleBytes(_ value: Bytes, version: UInt16) {
        version >= RatchetVersion.postQuantum ? largeBytes(value) : shortBytes(value)
    }
}

/// The plaintext header of a message (smp-agent.md 8.4).
struct RatchetHeader: Hashable, Sendable {
    /// The largest version that the sender supports.
    let maximumVersion: UInt16
    /// The sender's ratchet key, the same for all messages of a chain.
    let ratchetKey: X448.PublicKey
    let kem: KEMParameter?
    /// The number of messages in the sender's previous chain.
    let previousCount: UInt32
    /// The position of this message in its chain, from 0.
    let number: UInt32

    /// Returns the size of a padded header: 2,310 bytes with KEM, 88 bytes without.
    static func paddedSize(version: UInt16, isPostQuantum: Bool) -> Int {
        isPostQuantum && version >= RatchetVersion.postQuantum ? 2310 : 88
    }

    init(
        maximumVersion: UInt16, ratchetKey: X448.PublicKey, kem: KEMParameter?, previousCount: UInt32, number: UInt32
    ) {
        self.maximumVersion = maximumVersion
        self.ratchetKey = ratchetKey
        self.kem = kem
        self.previousCount = previousCount
        self.number = number
    }

    /// Reads the header of a message of `version`. Later versions may append fields, which are ignored.
    init(decoding plaintext: Bytes, version: UInt16) throws(DecodeError) {
        var reader = ByteReader(plaintext)
        maximumVersion = try reader.uint16()
        ratchetKey = try reader.value()
        kem = version >= RatchetVersion.postQuantum ? try reader.optional() : nil
        previousCount = try reader.uint32()
        number = try reader.uint32()
    }

    /// Returns the encoding in a message of `version`.
    func encoded(version: UInt16) -> Bytes {
        var writer = ByteWriter(capacity: 88)
        writer.uint16(maximumVersion)
        writer.value(ratchetKey)
        if version >= RatchetVersion.postQuantum {
            writer.optional(kem)
        }
        writer.uint32(previousCount)
        writer.uint32(number)
        return writer.bytes
    }
}
