public import ByteCoding

/// The 24-byte nonce of ``SecretBox``.
public struct Nonce: Hashable, Sendable, ByteCodable {
    public static let size = 24
    public let bytes: Bytes

    /// A nonce made of any bytes: longer input is cut, shorter input is filled with zero bytes at the end.
    ///
    /// The protocols use correlation and message ids as nonces, and these may have any length.
    public init(_ bytes: Bytes) {
        self.bytes = Bytes(bytes.prefix(Nonce.size)) + Bytes(repeating: 0, count: max(0, Nonce.size - bytes.count))
    }

    /// A new nonce.
    public init(random source: any RandomSource) {
        bytes = source.bytes(Nonce.size)
    }

    /// The same bytes from last to first: the nonce of an answer to a proxied command (SMP).
    public var reversed: Nonce { Nonce(bytes.reversed()) }

    public init(from reader: inout ByteReader) throws(DecodeError) {
        bytes = try reader.take(Nonce.size)
    }

    public func encode(into writer: inout ByteWriter) {
        writer.raw(bytes)
    }
}
