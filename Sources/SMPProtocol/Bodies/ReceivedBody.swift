public import ByteCoding
public import CryptoCore

/// What a relay encrypts for the recipient of a queue, below what the sender encrypted.
public enum ReceivedBody: Hashable, Sendable {
    /// A message, with the second in which the relay received it.
    case message(time: Int64, MessageFlags, body: Bytes)
    /// The queue was full at that time: the sender may send again when this was acknowledged.
    case quota(time: Int64)

    /// The padded size, the same for all versions, so that the length of a message does not show.
    static let paddedSize = 16106
    private static let quotaTag = Bytes("QUOTA ".utf8)

    public var encoded: Bytes {
        var writer = ByteWriter()
        switch self {
        case .message(let time, let flags, let body):
            writer.int64(time)
            flags.encode(into: &writer)
            writer.raw(body)
        case .quota(let time):
            writer.raw(ReceivedBody.quotaTag)
            writer.int64(time)
        }
        return writer.bytes
    }

    public init(decoding bytes: Bytes) throws(DecodeError) {
        // No time begins with the letter of the tag: it would be past the year 180,000,000,000.
        if bytes.starts(with: ReceivedBody.quotaTag) {
            var reader = ByteReader(Bytes(bytes.dropFirst(ReceivedBody.quotaTag.count)))
            self = .quota(time: try reader.int64())
            try reader.finish()
        } else {
            var reader = ByteReader(bytes)
            self = .message(time: try reader.int64(), try MessageFlags.read(from: &reader), body: reader.rest())
        }
    }

    /// The MSG that delivers this body. `secret` is the agreement of the keys in NEW and IDS.
    public func seal(messageID: EntityID, secret: Secret) throws(CryptoError) -> EncryptedMessage {
        let box = try SecretBox.sealPadded(
            encoded, to: ReceivedBody.paddedSize, nonce: Nonce(messageID.bytes), key: secret)
        return EncryptedMessage(messageID: messageID, encrypted: box)
    }

    /// Opens a delivered message.
    public init(opening message: EncryptedMessage, secret: Secret) throws(CryptoError) {
        let plain = try SecretBox.openPadded(
            message.encrypted, nonce: Nonce(message.messageID.bytes), key: secret)
        guard let body = try? ReceivedBody(decoding: plain) else { throw .invalidPadding }
        self = body
    }
}

/// The metadata of a notification.
public struct NotificationMetadata: Hashable, Sendable, ByteEncodable {
    public let messageID: EntityID
    /// The second in which the relay received the message.
    public let time: Int64

    static let paddedSize = 128

    public init(messageID: EntityID, time: Int64) {
        self.messageID = messageID
        self.time = time
    }

    public func encode(into writer: inout ByteWriter) {
        writer.value(messageID)
        writer.int64(time)
    }

    /// The box in NMSG. `secret` is the agreement of the keys in NKEY and NID.
    public func seal(nonce: Nonce, secret: Secret) throws(CryptoError) -> Bytes {
        try SecretBox.sealPadded(encoded, to: NotificationMetadata.paddedSize, nonce: nonce, key: secret)
    }

    /// Opens the box in NMSG. Later versions may add fields, which are ignored.
    public init(opening box: Bytes, nonce: Nonce, secret: Secret) throws(CryptoError) {
        var reader = ByteReader(try SecretBox.openPadded(box, nonce: nonce, key: secret))
        guard let messageID: EntityID = try? reader.value(), let time = try? reader.int64() else {
            throw .invalidPadding
        }
        self.init(messageID: messageID, time: time)
    }
}
