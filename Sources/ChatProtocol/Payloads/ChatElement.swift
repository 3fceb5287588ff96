public import ByteCoding

/// One part of a payload: it was read, or it was not, without regard to the others.
public struct ChatElement: Hashable, Sendable {
    public enum Content: Hashable, Sendable {
        case message(ChatMessage)
        case chunk(FileChunk)
    }

    /// The bytes that the sender made for this element, also if they could not be read: the JSON text of a message, to
    /// be stored and passed on as it is. Of a payload that cannot be taken apart, all of it.
    public let bytes: Bytes
    public let content: Result<Content, PayloadError>

    public init(bytes: Bytes, content: Result<Content, PayloadError>) {
        self.bytes = bytes
        self.content = content
    }
}

/// Why an element, or a payload as a whole, cannot be used. It never holds any of the input.
public enum PayloadError: Error, Hashable, Sendable {
    case empty
    /// The first byte announces nothing that is known.
    case unknownForm
    /// More than ``ChatLimit/elements``.
    case tooManyElements
    /// Compressed bytes are damaged, or were compressed twice.
    case compression
    /// More than ``ChatLimit/decompressed`` bytes.
    case tooLarge
    /// A form of channels and groups that later versions have.
    case unsupported(LaterForm)
    /// The element is announced correctly but does not follow its format.
    case malformed(DecodeError)
}

/// Forms of elements that versions above 16 use between each other.
public enum LaterForm: Hashable, Sendable {
    /// Signatures and the JSON text that they sign (`/`).
    case signed
    /// An element of somebody else (`>`).
    case forwarded
}
