import ByteCoding
import CryptoCore

/// What the header of a message says to the other side of the ratchet.
struct MessageHeader: Hashable, Sendable {
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
