import ByteCoding
import CZlib

/// The CRC-32 of a content that is seen in portions.
struct Checksum {
    private(set) var value: UInt32 = 0

    mutating func add(_ bytes: Bytes) {
        value = UInt32(truncatingIfNeeded: unsafe crc32_z(UInt(value), bytes, bytes.count))
    }
}
