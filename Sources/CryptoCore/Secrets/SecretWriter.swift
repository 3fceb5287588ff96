public import ByteCoding

/// Builds an encoding that holds keys, in memory that is wiped.
///
/// A ``ByteWriter`` grows its array, and every growth leaves a copy behind. This writer collects references to the keys
/// and copies each of them once, at the end.
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

    /// Where everything goes that nobody has to hide; it takes its place before the next secret.
    public var plain = ByteWriter()

    public init() {}

    /// The bytes of a secret, without a length.
    public mutating func secret(_ secret: Secret) {
        flush()
        parts.append(.secret(secret))
    }

    /// A two-byte length and the bytes of a secret.
    public mutating func largeSecret(_ secret: Secret) {
        precondition(secret.count <= UInt16.max, "a large byte string has at most 65535 bytes")
        plain.uint16(UInt16(secret.count))
        self.secret(secret)
    }

    /// The digit `0` for nil, or the digit `1` and the value.
    public mutating func optional<Value>(_ value: Value?, _ write: (inout SecretWriter, Value) -> Void) {
        guard let value else { return plain.character("0") }
        plain.character("1")
        write(&self, value)
    }

    /// Everything that was written, in order.
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
