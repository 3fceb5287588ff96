public import ByteCoding
import JSONCoding

/// The body of an agent message. Its first byte decides what it is.
public enum ChatPayload {
    /// The elements of a received payload, in order.
    ///
    /// What is wrong with one element is the result of that element. A payload that cannot be taken apart, or that has
    /// too many elements, is one element with an error.
    public static func elements(of payload: Bytes) -> [ChatElement] {
        let elements = payload.first == CompressedPayload.letter ? compressed(payload) : uncompressed(payload)
        guard elements.count <= ChatLimit.elements else { return [failure(payload, .tooManyElements)] }
        return elements
    }

    private static func compressed(_ payload: Bytes) -> [ChatElement] {
        guard let compressed = try? CompressedPayload(decoding: payload) else {
            return [failure(payload, .compression)]
        }
        var allowance = ChatLimit.decompressed
        return compressed.items.flatMap { item in
            do throws(PayloadError) {
                let content = try item.content(limit: allowance)
                allowance -= content.count
                guard content.first != CompressedPayload.letter else { throw .compression }
                return uncompressed(content)
            } catch {
                return [failure(item.bytes, error)]
            }
        }
    }

    private static func uncompressed(_ payload: Bytes) -> [ChatElement] {
        do throws(DecodeError) {
            switch payload.first {
            case UInt8(ascii: "["): return try JSONElements.split(payload).map(message)
            case UInt8(ascii: "="): return try binaryBatch(payload).map(element)
            default: return [element(payload)]
            }
        } catch {
            return [failure(payload, .malformed(error))]
        }
    }

    /// `=`, a count and elements with two-byte lengths: a batch of channels, whose plain elements can be read.
    private static func binaryBatch(_ payload: Bytes) throws(DecodeError) -> [Bytes] {
        var reader = ByteReader(Bytes(payload.dropFirst()))
        let elements = try reader.list { reader throws(DecodeError) in try reader.largeBytes() }
        try reader.finish()
        return elements
    }

    private static func element(_ bytes: Bytes) -> ChatElement {
        switch bytes.first {
        case UInt8(ascii: "{"): message(bytes)
        case FileChunk.letter: chunk(bytes)
        case UInt8(ascii: "/"): failure(bytes, .unsupported(.signed))
        case UInt8(ascii: ">"): failure(bytes, .unsupported(.forwarded))
        case nil: failure(bytes, .empty)
        default: failure(bytes, .unknownForm)
        }
    }

    private static func message(_ json: Bytes) -> ChatElement {
        do throws(DecodeError) {
            return ChatElement(bytes: json, content: .success(.message(try ChatMessage(decoding: json))))
        } catch {
            return failure(json, .malformed(error))
        }
    }

    private static func chunk(_ bytes: Bytes) -> ChatElement {
        do throws(DecodeError) {
            return ChatElement(bytes: bytes, content: .success(.chunk(try FileChunk(decoding: bytes))))
        } catch {
            return failure(bytes, .malformed(error))
        }
    }

    private static func failure(_ bytes: Bytes, _ error: PayloadError) -> ChatElement {
        ChatElement(bytes: bytes, content: .failure(error))
    }
}

/// A payload does not fit where it has to go: a picture or a text must become smaller.
public enum PayloadSizeError: Error, Hashable, Sendable {
    case tooLarge(size: Int, limit: Int)
}

extension ChatPayload {
    /// Where a payload is sent to.
    public enum Destination: Hashable, Sendable {
        /// An established connection.
        case connection
        /// The handshake of a new connection, which holds one message without an id.
        case handshake

        /// The most bytes of a payload before it is compressed.
        public var limit: Int {
            switch self {
            case .connection: ChatLimit.message
            case .handshake: ChatLimit.handshake
            }
        }

        /// The most bytes with post-quantum encryption.
        public var postQuantumLimit: Int {
            switch self {
            case .connection: ChatLimit.postQuantumMessage
            case .handshake: ChatLimit.postQuantumHandshake
            }
        }
    }

    /// A batch, or a message that none can hold.
    public enum Part: Hashable, Sendable {
        case payload(Bytes, count: Int)
        case tooLarge(size: Int)
    }

    /// The payload of one encoded message or batch, ready for the agent.
    ///
    /// With `postQuantum`, for which the connection must encrypt that way and its version know
    /// ``ChatVersion/compression``, a payload is compressed when it does not fit otherwise.
    public static func prepare(
        _ payload: Bytes, for destination: Destination = .connection, postQuantum: Bool
    ) throws(PayloadSizeError) -> Bytes {
        try check(payload, destination.limit)
        let limit = destination.postQuantumLimit
        guard postQuantum, payload.count > limit else { return payload }
        let compressed = CompressedPayload([.init(payload)]).encoded
        try check(compressed, limit)
        return compressed
    }

    private static func check(_ payload: Bytes, _ limit: Int) throws(PayloadSizeError) {
        guard payload.count <= limit else { throw .tooLarge(size: payload.count, limit: limit) }
    }

    /// Puts encoded messages for one destination into as few payloads as hold them in this order. A single message stays
    /// as it is; several are a JSON array, which needs ``ChatVersion/batches``.
    public static func batches(_ messages: [Bytes]) -> [Part] {
        var parts: [Part] = []
        var pending: [Bytes] = []
        // Each message is followed by a comma or the closing bracket.
        var size = 1
        for message in messages {
            let isTooLarge = message.count > ChatLimit.message
            let added = message.count + 1
            if isTooLarge || size + added > ChatLimit.message || pending.count == ChatLimit.elements {
                appendBatch(of: pending, to: &parts)
                pending = []
                size = 1
            }
            if isTooLarge {
                parts.append(.tooLarge(size: message.count))
            } else {
                pending.append(message)
                size += added
            }
        }
        appendBatch(of: pending, to: &parts)
        return parts
    }

    private static func appendBatch(of messages: [Bytes], to parts: inout [Part]) {
        guard let first = messages.first else { return }
        let batch = Bytes("[".utf8) + messages.joined(separator: Bytes(",".utf8)) + Bytes("]".utf8)
        parts.append(.payload(messages.count == 1 ? first : batch, count: messages.count))
    }
}

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
