public import ByteCoding
import JSONCoding

/// The body of an agent message. Its first byte determines its form (chat.md 1.3).
public enum ChatPayload {
    /// Returns the elements of a received payload, in order.
    ///
    /// Each element has its own result or error. A malformed payload, or one with too many elements, is one element
    /// with an error.
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

    /// Reads `=`, a count and elements with two-byte lengths (network-7.md 7.1).
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
        case ElementSignature.letter: signed(bytes)
        case ForwardedElement.letter: forwarded(bytes)
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

    private static func signed(_ bytes: Bytes) -> ChatElement {
        do throws(DecodeError) {
            let signature = try ElementSignature(decoding: bytes)
            let message = try ChatMessage(decoding: signature.text)
            return ChatElement(bytes: signature.text, content: .success(.message(message)), signature: signature)
        } catch {
            return failure(bytes, .malformed(error))
        }
    }

    private static func forwarded(_ bytes: Bytes) -> ChatElement {
        do throws(DecodeError) {
            let forwarded = try ForwardedElement(decoding: bytes)
            let original = element(forwarded.original)
            if case .failure(let error) = original.content { return failure(bytes, error) }
            return ChatElement(bytes: bytes, content: .success(.forwarded(forwarded, original)))
        } catch {
            return failure(bytes, .malformed(error))
        }
    }

    private static func failure(_ bytes: Bytes, _ error: PayloadError) -> ChatElement {
        ChatElement(bytes: bytes, content: .failure(error))
    }
}

/// The error of a payload that exceeds its destination: a picture or a text must become smaller.
public enum PayloadSizeError: Error, Hashable, Sendable {
    /// The payload has `size` bytes, and the limit is `limit`.
    case tooLarge(size: Int, limit: Int)
}

extension ChatPayload {
    /// The destination of a payload.
    public enum Destination: Hashable, Sendable {
        /// An established connection.
        case connection
        /// The handshake of a new connection, for one message without an id.
        case handshake

        /// The largest payload before compression, in bytes.
        public var limit: Int {
            switch self {
            case .connection: ChatLimit.message
            case .handshake: ChatLimit.handshake
            }
        }

        /// The largest payload with post-quantum encryption, in bytes.
        public var postQuantumLimit: Int {
            switch self {
            case .connection: ChatLimit.postQuantumMessage
            case .handshake: ChatLimit.postQuantumHandshake
            }
        }
    }

    /// A batch, or a message that exceeds the limit.
    public enum Part: Hashable, Sendable {
        /// A payload with `count` messages.
        case payload(Bytes, count: Int)
        /// A message of `size` bytes that exceeds the limit.
        case tooLarge(size: Int)
    }

    /// Prepares an encoded message or batch for the agent (chat.md 1.4).
    ///
    /// With `postQuantum`, a payload is compressed if it exceeds the limit. The connection must then use post-quantum
    /// encryption, and its version must have ``ChatVersion/compression``.
    ///
    /// - Throws: ``PayloadSizeError``.
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

    /// Distributes encoded messages over as few payloads as possible, in order (chat.md 1.7). A single message stays
    /// unchanged; several form a JSON array, which requires ``ChatVersion/batches``, or
    /// ``ChatVersion/allowsBatches(to:_:)`` in a group.
    ///
    /// The limit is larger for messages that forward others, ``ChatLimit/forwardingMessage``.
    public static func batches(_ messages: [Bytes], limit: Int = ChatLimit.message) -> [Part] {
        var parts: [Part] = []
        var pending: [Bytes] = []
        // A comma or the closing bracket follows each message.
        var size = 1
        for message in messages {
            let isTooLarge = message.count > limit
            let added = message.count + 1
            if isTooLarge || size + added > limit || pending.count == ChatLimit.elements {
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

    /// Distributes elements over as few payloads as possible, in order, for members of a channel (network-7.md 7.1). A single
    /// element stays unchanged.
    public static func binaryBatches(_ elements: [Bytes], limit: Int = ChatLimit.message) -> [Part] {
        var parts: [Part] = [], pending: [Bytes] = []
        // The letter and the count.
        var size = 2
        func finish() {
            guard let first = pending.first else { return }
            var writer = ByteWriter()
            writer.uint8(UInt8(ascii: "="))
            writer.list(pending) { writer, element in writer.largeBytes(element) }
            parts.append(.payload(pending.count == 1 ? first : writer.bytes, count: pending.count))
            (pending, size) = ([], 2)
        }
        for element in elements {
            guard element.count <= limit else {
                finish()
                parts.append(.tooLarge(size: element.count))
                continue
            }
            if size + element.count + 2 > limit || pending.count == ChatLimit.elements { finish() }
            pending.append(element)
            size += element.count + 2
        }
        finish()
        return parts
    }

    private static func appendBatch(of messages: [Bytes], to parts: inout [Part]) {
        guard let first = messages.first else { return }
        let batch = Bytes("[".utf8) + messages.joined(separator: Bytes(",".utf8)) + Bytes("]".utf8)
        parts.append(.payload(messages.count == 1 ? first : batch, count: messages.count))
    }
}

/// One element of a payload with its own result.
public struct ChatElement: Hashable, Sendable {
    /// The content of an element.
    public enum Content: Hashable, Sendable {
        /// A chat message.
        case message(ChatMessage)
        /// A chunk of a file.
        case chunk(FileChunk)
        /// A message or a chunk of another member, which the sender passes on. It is readable, and not forwarded itself.
        indirect case forwarded(ForwardedElement, ChatElement)
    }

    /// The bytes of this element as the sender made them, even if they are malformed. For a message, the JSON text to
    /// store and pass on unchanged. For a malformed payload, the whole payload.
    public let bytes: Bytes
    /// The content or the error.
    public let content: Result<Content, PayloadError>
    /// The signatures of a signed message. They are not verified.
    public let signature: ElementSignature?

    /// Creates a chat element from its parts.
    public init(bytes: Bytes, content: Result<Content, PayloadError>, signature: ElementSignature? = nil) {
        self.bytes = bytes
        self.content = content
        self.signature = signature
    }
}

/// The error of an element or a payload. It contains nothing of the input.
public enum PayloadError: Error, Hashable, Sendable {
    /// The payload is empty.
    case empty
    /// The first byte is unknown.
    case unknownForm
    /// The payload has more than ``ChatLimit/elements`` elements.
    case tooManyElements
    /// The compressed bytes are damaged, or compressed twice.
    case compression
    /// The content exceeds ``ChatLimit/decompressed`` bytes.
    case tooLarge
    /// The element does not follow its format.
    case malformed(DecodeError)
}
