public import ByteCoding
public import CryptoCore

/// The public keys of one side for one version of the ratchet, as they travel in confirmations and re-synchronisation.
///
/// Parameters of versions before 3 have no KEM field.
public struct RatchetParameters: Hashable, Sendable, ByteCodable {
    public let version: UInt16
    public let key1: X448.PublicKey
    public let key2: X448.PublicKey
    public let kem: KEMParameter?

    /// Parameters of `version`, which leave the KEM out if the version has none.
    public init(version: UInt16, key1: X448.PublicKey, key2: X448.PublicKey, kem: KEMParameter?) {
        self.version = version
        self.key1 = key1
        self.key2 = key2
        self.kem = version >= RatchetVersion.postQuantum ? kem : nil
    }

    public init(from reader: inout ByteReader) throws(DecodeError) {
        version = try reader.uint16()
        key1 = try reader.value()
        key2 = try reader.value()
        kem = version >= RatchetVersion.postQuantum ? try reader.optional() : nil
    }

    public func encode(into writer: inout ByteWriter) {
        writer.uint16(version)
        writer.value(key1)
        writer.value(key2)
        if version >= RatchetVersion.postQuantum {
            writer.optional(kem)
        }
    }
}
