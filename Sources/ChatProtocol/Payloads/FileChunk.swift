public import ByteCoding

/// A piece of a small file that is sent between the messages, without a file relay.
public struct FileChunk: Hashable, Sendable {
    public enum Content: Hashable, Sendable {
        /// The pieces count from 1. All but the last have the same size.
        case data(number: UInt8, Bytes)
        /// The sender gave up.
        case cancelled
    }

    /// The message that offered the file.
    public let messageID: SharedMessageID
    public let content: Content

    static let letter = UInt8(ascii: "F")

    /// The pieces of a file are numbered from 1 (a programmer error otherwise).
    public init(messageID: SharedMessageID, _ content: Content) {
        if case .data(let number, _) = content { precondition(number > 0, "pieces count from 1") }
        self.messageID = messageID
        self.content = content
    }
}

extension FileChunk: ByteCodable {
    public init(from reader: inout ByteReader) throws(DecodeError) {
        guard try reader.uint8() == FileChunk.letter else { throw .invalid("chunk") }
        // A binary message has room for an id of its own, which nobody gives.
        _ = try reader.shortBytes()
        messageID = try SharedMessageID(checking: try reader.shortBytes(), "chunk")
        let number = try reader.uint8()
        content = number == 0 ? .cancelled : .data(number: number, reader.rest())
    }

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
