public import ByteCoding

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
