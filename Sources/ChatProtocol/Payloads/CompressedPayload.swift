import ByteCoding
import Compression

/// Payloads in a compressed container: `X`, a count and the items.
struct CompressedPayload: Hashable, Sendable, ByteCodable {
    static let letter = UInt8(ascii: "X")

    /// One payload. What is short is not compressed, which would make it longer.
    enum Item: Hashable, Sendable, ByteCodable {
        /// `0` and up to 255 bytes as they are.
        case plain(Bytes)
        /// `1` and up to 65535 bytes of a Zstandard frame.
        case frame(Bytes)

        /// Up to here an item is not compressed.
        static let plainLimit = 180

        /// The item of a payload.
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

        /// The payload, of at most `limit` bytes.
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

        /// The bytes as they are in the container.
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
