import ByteCoding
import Compression

/// A compressed container: `X`, a count and the items (chat.md 1.4).
struct CompressedPayload: Hashable, Sendable, ByteCodable {
    static let letter = UInt8(ascii: "X")

    /// One payload. A short payload is not compressed, because it would grow.
    enum Item: Hashable, Sendable, ByteCodable {
        /// `0` and up to 255 plain bytes.
        case plain(Bytes)
        /// `1` and up to 65,535 bytes of a Zstandard frame.
        case frame(Bytes)

        /// The largest size of an item that is not compressed, in bytes.
        static let plainLimit = 180

        /// Creates the item of a payload, compressed if it is long.
        init(_ payload: Bytes) {
            self = payload.count <= Item.plainLimit ? .plain(payload) : .frame(Zstandard.compress(payload))
        }

        init(from reader: inout ByteReader) throws(DecodeError) {
            switch try reader.uint8() {
            case UInt8(ascii: "0"): self = .plain(try reader.shortBytes())
            case UInt8(ascii: "1"): self = .frame(try reader.largeBytes())
            default: throw .invalid("compressed item")
            }
        }

        func encode(into writer: inout ByteWriter) {
            switch self {
            case .plain(let bytes):
                writer.character("0")
                writer.shortBytes(bytes)
            case .frame(let bytes):
                writer.character("1")
                writer.largeBytes(bytes)
            }
        }

        /// Returns the payload.
        ///
        /// - Throws: ``PayloadError/tooLarge`` above `limit` bytes, ``PayloadError/compression`` for a damaged frame.
        func content(limit: Int) throws(PayloadError) -> Bytes {
            switch self {
            case .plain(let bytes):
                guard bytes.count <= limit else { throw .tooLarge }
                return bytes
            case .frame(let bytes):
                do throws(CompressionError) {
                    return try Zstandard.decompress(bytes, limit: limit)
                } catch {
                    throw error == .tooLarge ? .tooLarge : .compression
                }
            }
        }

        /// The bytes of the item in the container.
        var bytes: Bytes {
            switch self {
            case .plain(let bytes), .frame(let bytes): bytes
            }
        }
    }

    let items: [Item]

    init(_ items: [Item]) {
        self.items = items
    }

    init(from reader: inout ByteReader) throws(DecodeError) {
        guard try reader.uint8() == CompressedPayload.letter else { throw .invalid("compressed payload") }
        items = try reader.nonEmptyList()
    }

    func encode(into writer: inout ByteWriter) {
        writer.uint8(CompressedPayload.letter)
        writer.list(items) { $0.value($1) }
    }
}
