/// A byte string.
public typealias Bytes = [UInt8]

/// Why bytes or text could not be read. It never holds any of the input, so it is safe to show and to log.
public enum DecodeError: Error, Hashable, Sendable {
    /// The input ended before the value did.
    case truncated
    /// The value was read, but input remained.
    case trailing
    /// A part of the value is outside its allowed set; `field` names the part.
    case invalid(_ field: StaticText)
}

/// A string known when the program was built: error details made of it cannot carry anything private.
public struct StaticText: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let description: String

    public init(stringLiteral value: StaticString) {
        description = value.description
    }
}

/// A value with one binary encoding.
public protocol ByteEncodable {
    /// Appends the encoding of the value.
    func encode(into writer: inout ByteWriter)
}

/// A value that can be read from its binary encoding.
public protocol ByteDecodable {
    /// Reads the value and moves the reader behind it.
    init(from reader: inout ByteReader) throws(DecodeError)
}

public typealias ByteCodable = ByteEncodable & ByteDecodable

extension ByteEncodable {
    /// The encoding of this value alone.
    public var encoded: Bytes {
        var writer = ByteWriter()
        encode(into: &writer)
        return writer.bytes
    }
}

extension ByteDecodable {
    /// Reads a value that fills `bytes` completely.
    public init(decoding bytes: Bytes) throws(DecodeError) {
        var reader = ByteReader(bytes)
        try self.init(from: &reader)
        try reader.finish()
    }
}
