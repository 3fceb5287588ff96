/// A byte string.
public typealias Bytes = [UInt8]

/// An error of reading bytes or text. It contains nothing of the input, so it is safe to show and to log.
public enum DecodeError: Error, Hashable, Sendable {
    /// The input ended before the value.
    case truncated
    /// Input remained after the value.
    case trailing
    /// A part of the value is outside its allowed set. The value names the part.
    case invalid(_ field: StaticText)
}

/// A string known at compile time: error details made of it cannot contain private data.
public struct StaticText: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text.
    public let description: String

    /// Creates a text from a literal.
    public init(stringLiteral value: StaticString) {
        description = value.description
    }
}

/// A value with one binary encoding (smp-agent.md 1.1).
public protocol ByteEncodable {
    /// Appends the encoding of the value.
    func encode(into writer: inout ByteWriter)
}

/// A value that can be read from its binary encoding (smp-agent.md 1.1).
public protocol ByteDecodable {
    /// Reads the value and advances the reader past it.
    ///
    /// - Throws: ``DecodeError``.
    init(from reader: inout ByteReader) throws(DecodeError)
}

/// A value with a binary encoding that can be read and written.
public typealias ByteCodable = ByteEncodable & ByteDecodable

extension ByteEncodable {
    /// The encoding of the value alone.
    public var encoded: Bytes {
        var writer = ByteWriter()
        encode(into: &writer)
        return writer.bytes
    }
}

extension ByteDecodable {
    /// Reads a value that fills `bytes`.
    ///
    /// - Throws: ``DecodeError``, with ``DecodeError/trailing`` for excess bytes.
    public init(decoding bytes: Bytes) throws(DecodeError) {
        var reader = ByteReader(bytes)
        try self.init(from: &reader)
        try reader.finish()
    }
}
