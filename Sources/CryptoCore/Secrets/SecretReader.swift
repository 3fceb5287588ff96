public import ByteCoding

/// A cursor over an encoding that holds keys; it copies a key from wiped memory to wiped memory and nowhere else.
///
/// Errors and positions behave as in ``ByteReader``.
public struct SecretReader: Sendable {
    private let secret: Secret
    private var position = 0

    /// Reads `secret` from the start.
    public init(_ secret: Secret) {
        self.secret = secret
    }

    /// How many bytes have not been read yet.
    public var remaining: Int { secret.count - position }

    /// Throws ``DecodeError/trailing`` unless everything was read.
    public func finish() throws(DecodeError) {
        guard remaining == 0 else { throw .trailing }
    }

    /// The next `count` bytes as a secret.
    public mutating func secret(_ count: Int) throws(DecodeError) -> Secret {
        let start = try advance(by: count)
        return secret.slice(start, count)
    }

    /// A secret behind its two-byte length.
    public mutating func largeSecret() throws(DecodeError) -> Secret {
        var length = try plain(2)
        return try secret(Int(try length.uint16()))
    }

    /// The next `count` bytes, which are not secret, for a reader of their own.
    public mutating func plain(_ count: Int) throws(DecodeError) -> ByteReader {
        let start = try advance(by: count)
        return unsafe secret.withUnsafeBytes { bytes in
            unsafe ByteReader(Bytes(UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])))
        }
    }

    /// The digit `0`, or the digit `1` and a value.
    public mutating func optional<Value>(
        _ read: (inout SecretReader) throws(DecodeError) -> Value
    ) throws(DecodeError) -> Value? {
        var digit = try plain(1)
        return try digit.optional { _ throws(DecodeError) in try read(&self) }
    }

    private mutating func advance(by count: Int) throws(DecodeError) -> Int {
        guard count >= 0, count <= remaining else { throw .truncated }
        defer { position += count }
        return position
    }
}
