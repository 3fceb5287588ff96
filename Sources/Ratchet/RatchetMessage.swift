import ByteCoding
import CryptoCore

/// A message taken apart: the encrypted header, and the body as it came.
struct RatchetMessage: Sendable {
    let header: EncryptedHeader
    /// The tag and the ciphertext of the body, without a copy of them.
    let body: ArraySlice<UInt8>

    /// Takes a message apart. Nothing is decrypted, and any bytes may be the ciphertexts.
    init(_ bytes: Bytes) throws(DecodeError) {
        var reader = ByteReader(bytes)
        header = try EncryptedHeader(decoding: try reader.flexibleBytes())
        guard reader.remaining >= AESGCM.tagSize else { throw .truncated }
        body = bytes.suffix(reader.remaining)
    }
}

/// The encrypted header of a message.
struct EncryptedHeader: Sendable {
    /// The version that the sender's ratchet was at; it decides on the lengths and on the KEM field.
    let version: UInt16
    let iv: Bytes
    let sealed: AESGCM.Sealed
    /// The bytes from the version to the end of the ciphertext, which the body authenticates.
    let encoded: Bytes

    /// The header of an own message.
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

    /// The encoded header behind its length, as it begins a message.
    var prefixed: Bytes {
        var writer = ByteWriter(capacity: 2 + encoded.count)
        writer.flexibleBytes(encoded, version: version)
        return writer.bytes
    }
}

extension ByteReader {
    /// A byte string behind a length of one or two bytes.
    ///
    /// A first byte below 32 begins a two-byte length: neither part of a message that has such a length is shorter than
    /// 32 bytes or longer than 8191. The version does not help, because the peer may have upgraded with this very
    /// message.
    fileprivate mutating func flexibleBytes() throws(DecodeError) -> Bytes {
        guard let first = next else { throw .truncated }
        return first < 32 ? try largeBytes() : try shortBytes()
    }
}

extension ByteWriter {
    /// A byte string behind a length of one byte, or of two from version 3 on.
    fileprivate mutating func flexibleBytes(_ value: Bytes, version: UInt16) {
        version >= RatchetVersion.postQuantum ? largeBytes(value) : shortBytes(value)
    }
}

/// What the header of a message says to the other side of the ratchet.
struct RatchetHeader: Hashable, Sendable {
    /// The largest version that the sender speaks.
    let maximumVersion: UInt16
    /// The sender's ratchet key, the same for all messages of a chain.
    let ratchetKey: X448.PublicKey
    let kem: KEMParameter?
    /// How many messages the sender's previous chain had.
    let previousCount: UInt32
    /// The position of this message in its chain, from 0.
    let number: UInt32

    /// The size of a padded header: large enough for a KEM key and ciphertext where KEMs are used, or else for X448
    /// alone.
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

    /// Reads a header of a message of `version`. Bytes that follow are ignored: later versions may add fields.
    init(decoding plaintext: Bytes, version: UInt16) throws(DecodeError) {
        var reader = ByteReader(plaintext)
        maximumVersion = try reader.uint16()
        ratchetKey = try reader.value()
        kem = version >= RatchetVersion.postQuantum ? try reader.optional() : nil
        previousCount = try reader.uint32()
        number = try reader.uint32()
    }

    /// The encoding in a message of `version`.
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
