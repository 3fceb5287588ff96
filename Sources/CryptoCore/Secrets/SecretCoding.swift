public import ByteCoding

/// A cursor over an encoding with keys, which copies keys only between wiped memory.
///
/// Errors and positions behave as in ``ByteReader``.
public struct SecretReader: Sendable {
    private let secret: Secret
    private var position = 0

    /// Reads `secret` from the start.
    public init(_ secret: Secret) {
        self.secret = secret
    }

    /// The number of unread bytes.
    public var remaining: Int { secret.count - position }

    /// Checks that all bytes were read.
    ///
    /// - Throws: ``DecodeError/trailing``.
    public func finish() throws(DecodeError) {
        guard remaining == 0 else { throw .trailing }
    }

    /// Reads the next `count` bytes as a secret.
    ///
    /// - Throws: ``DecodeError/truncated``.
    public mutating func secret(_ count: Int) throws(DecodeError) -> Secret {
        let start = try advance(by: count)
        return secret.slice(start, count)
    }

    /// Reads a secret behind its two-byte length.
    ///
    /// - Throws: ``DecodeError/truncated``.
    public mutating func largeSecret() throws(DecodeError) -> Secret {
        var length = try plain(2)
        return try secret(Int(try length.uint16()))
    }

    /// Reads the next `count` bytes, which are not secret, into a separate reader.
    ///
    /// - Throws: ``DecodeError/truncated``.
    public mutating func plain(_ count: Int) throws(DecodeError) -> ByteReader {
        let start = try advance(by: count)
        return unsafe secret.withUnsafeBytes { bytes in
            unsafe ByteReader(Bytes(UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])))
        }
    }

    /// Reads the digit `0`, or the digit `1` and a value.
    ///
    /// - Throws: ``DecodeError/invalid(_:)`` for another digit, and the errors of `read`.
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

/// A builder of an encoding with keys, in memory that is wiped.
///
/// A ``ByteWriter`` grows its array, and every growth leaves a copy behind. This writer collects references to the keys
/// and copies each key once, at the end.
///
/// ```swift
///
/// ```swift
/// var writer = SecretWriter()
/// writer.plain.uint8(1)
/// writer.secret(key)
/// let stored = writer.finish()
/// ```
public struct SecretWriter: Sendable {
    private enum Part: Sendable {
        case plain(Bytes)
        case secret(Secret)
    }

    private var parts: [Part] = []

    /// The writer of the public parts. Its content precedes the next secret.
    public var plain = ByteWriter()

    /// Creates an empty writer.
    public init() {}

    /// Writes a secret without a length.
    public mutating func secret(_ secret: Secret) {
        flush()
        parts.append(.secret(secret))
    }

    /// Writes a secret behind its two-byte length.
    public mutating func largeSecret(_ secret: Secret) {
        precondition(secret.count <= UInt16.max, "a large byte string has at most 65535 bytes")
        plain.uint16(UInt16(secret.count))
        self.secret(secret)
    }

    /// Writes the digit `0` for nil, or the digit `1` and the value.
    public mutating func optional<Value>(_ value: Value?, _ write: (inout SecretWriter, Value) -> Void) {
        guard let value else { return plain.character("0") }
        plain.character("1")
        write(&self, value)
    }

    /// Returns the encoding in the order of writing.
    public consuming func finish() -> Secret {
        flush()
        let parts = parts
        let size = parts.reduce(0) { size, part in
            switch part {
            case .plain(let bytes): size + bytes.count
            case .secret(let secret): size + secret.count
            }
        }
        return unsafe Secret(
            SecretBytes(count: size) { output in
                var start = 0
                for part in parts {
                    let target = unsafe UnsafeMutableRawBufferPointer(rebasing: output[start...])
                    switch part {
                    case .plain(let bytes):
                        unsafe target.copyBytes(from: bytes)
                        start += bytes.count
                    case .secret(let secret):
                        unsafe secret.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
                        start += secret.count
                    }
                }
            })
    }

    private mutating func flush() {
        guard !plain.bytes.isEmpty else { return }
        parts.append(.plain(plain.bytes))
        plain = ByteWriter()
    }
}
