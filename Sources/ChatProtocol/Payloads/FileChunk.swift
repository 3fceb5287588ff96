public import ByteCoding

/// A chunk of a small file that is sent inline, without a file relay (chat.md 1.6, 5.1).
public struct FileChunk: Hashable, Sendable {
    /// The content of a chunk.
    public enum Content: Hashable, Sendable {
        /// The bytes of a chunk, numbered from 1. All but the last have the same size.
        case data(number: UInt8, Bytes)
        /// The sender cancelled the file.
        case cancelled
    }

    /// The id of the message that offered the file.
    public let messageID: SharedMessageID
    /// The content.
    public let content: Content

    static let letter = UInt8(ascii: "F")

    /// Creates a chunk. The numbers of chunks start at 1; another number is a programmer error.
    public init(messageID: SharedMessageID, _ content: Content) {
        if case .data(let number, _) = content { precondition(number > 0, "pieces count from 1") }
        self.messageID = messageID
        self.content = content
    }
}

extension FileChunk: ByteCodable {
    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        guard try reader.uint8() == FileChunk.letter else { throw .invalid("chunk") }
        // A binary message can have its own id, which no client sets.
        _ = try reader.shortBytes()
        messageID = try SharedMessageID(checking: try reader.shortBytes(), "chunk")
        let number = try reader.uint8()
        content = number == 0 ? .cancelled : .data(number: number, reader.rest())
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.uint8(FileChunk.letter)
        writer.shortBytes([])
        writer.shortBytes(messageID.bytes)
        switch content {
        case .data(let number, let bytes):
            writer.uint8(number)
            writer.raw(bytes)
        case .cancelled: writer.uint8(0)
        }
    }
}
