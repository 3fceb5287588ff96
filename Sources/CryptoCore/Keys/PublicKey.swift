public import ByteCoding

/// A public key of one algorithm, as raw bytes of a fixed size.
///
/// On the wire a key is its DER SubjectPublicKeyInfo (RFC 8410) behind a one-byte length. The DER is a fixed header and
/// the raw key, so it is compared and copied, not parsed.
public protocol PublicKey: Hashable, Sendable, ByteCodable {
    /// The DER bytes before the raw key, the last of which counts unused bits (always written as 0).
    static var derHeader: Bytes { get }
    /// The size of the raw key in bytes.
    static var rawSize: Int { get }
    /// The raw key.
    var raw: Bytes { get }
    /// A key of `rawSize` bytes whose size was checked.
    init(checkedRaw raw: Bytes)
}

extension PublicKey {
    /// A key from its raw bytes.
    public init(raw: Bytes) throws(CryptoError) {
        guard raw.count == Self.rawSize else { throw .invalidKey }
        self.init(checkedRaw: raw)
    }

    /// The DER SubjectPublicKeyInfo.
    public var der: Bytes { Self.derHeader + raw }

    /// Reads a DER SubjectPublicKeyInfo of this algorithm.
    public init(der: Bytes) throws(DecodeError) {
        let header = Self.derHeader
        guard der.count >= header.count + Self.rawSize else { throw .truncated }
        guard der.count == header.count + Self.rawSize else { throw .trailing }
        // The count of unused bits is not compared: the reference implementation ignores it too.
        guard der.starts(with: header.dropLast()), der[header.count - 1] < 8 else { throw .invalid("public key") }
        self.init(checkedRaw: Bytes(der.suffix(Self.rawSize)))
    }

    public init(from reader: inout ByteReader) throws(DecodeError) {
        try self.init(der: try reader.shortBytes())
    }

    public func encode(into writer: inout ByteWriter) {
        writer.shortBytes(der)
    }
}
