public import ByteCoding

/// The 24-byte nonce of ``SecretBox``.
public struct Nonce: Hashable, Sendable, ByteCodable {
    /// The size in bytes.
    public static let size = 24
    /// The 24 bytes.
    public let bytes: Bytes

    /// Creates a nonce from any bytes: longer input is cut, shorter input is filled with zero bytes at the end.
    ///
    /// The protocols use correlation ids and message ids of any length as nonces.
    public init(_ bytes: Bytes) {
        self.bytes = Bytes(bytes.prefix(Nonce.size)) + Bytes(repeating: 0, count: max(0, Nonce.size - bytes.count))
    }

    /// Creates a random nonce.
    public init(random source: any RandomSource) {
        bytes = source.bytes(Nonce.size)
    }

    /// The same bytes in reverse order: the nonce of the response to a proxied command (smp-agent.md 5.9).
    public var reversed: Nonce { Nonce(bytes.reversed()) }

    /// Reads 24 bytes.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        bytes = try reader.take(Nonce.size)
    }

    /// Writes the 24 bytes.
    public func encode(into writer: inout ByteWriter) {
        writer.raw(bytes)
    }
}
