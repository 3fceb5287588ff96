public import ByteCoding

/// A public key of one algorithm, as raw bytes of a fixed size.
///
/// The wire form is the DER SubjectPublicKeyInfo (RFC 8410) behind a one-byte length (smp-agent.md 0.2). The DER
/// consists of a fixed header and the raw key, so it is compared and copied, not parsed.
public protocol PublicKey: Hashable, Sendable, ByteCodable {
    /// The DER bytes before the raw key. The last byte counts unused bits and is always written as 0.
    static var derHeader: Bytes { get }
    /// The size of the raw key in bytes.
    static var rawSize: Int { get }
    /// The raw key.
    var raw: Bytes { get }
    /// Creates a key of `rawSize` bytes whose size was checked.
    init(checkedRaw raw: Bytes)
}

extension PublicKey {
    /// Creates a key from its raw bytes.
    ///
    /// - Throws: ``CryptoError/invalidKey`` for another size.
    public init(raw: Bytes) throws(CryptoError) {
        guard raw.count == Self.rawSize else { throw .invalidKey }
        self.init(checkedRaw: raw)
    }

    /// The DER SubjectPublicKeyInfo (RFC 8410).
    public var der: Bytes { Self.derHeader + raw }

    /// Reads a DER SubjectPublicKeyInfo of this algorithm.
    ///
    /// - Throws: ``DecodeError/invalid(_:)`` for another header or size.
    public init(der: Bytes) throws(DecodeError) {
        let header = Self.derHeader
        guard der.count >= header.count + Self.rawSize else { throw .truncated }
        guard der.count == header.count + Self.rawSize else { throw .trailing }
        // The count of unused bits is not compared: the reference implementation ignores it too.
        guard der.starts(with: header.dropLast()), der[header.count - 1] < 8 else { throw .invalid("public key") }
        self.init(checkedRaw: Bytes(der.suffix(Self.rawSize)))
    }

    /// Reads the DER form behind a one-byte length.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        try self.init(der: try reader.shortBytes())
    }

    /// Writes the DER form behind a one-byte length.
    public func encode(into writer: inout ByteWriter) {
        writer.shortBytes(der)
    }
}
