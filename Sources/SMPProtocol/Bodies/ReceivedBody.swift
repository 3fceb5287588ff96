public import ByteCoding
public import CryptoCore

/// The plaintext that a relay encrypts for the recipient of a queue, around the sender's encryption (smp-agent.md 5.6).
public enum ReceivedBody: Hashable, Sendable {
    /// A message. `time` is the Unix time in seconds at which the relay received it.
    case message(time: Int64, MessageFlags, body: Bytes)
    /// The mark of a full queue. The sender may send again after the recipient acknowledged it.
    case quota(time: Int64)

    /// The padded size in bytes, equal in all versions, so that the length of a message is hidden.
    static let paddedSize = 16106
    private static let quotaTag = Bytes("QUOTA ".utf8)

    /// The binary form, before padding.
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

    /// Reads the binary form.
    ///
    /// - Throws: ``DecodeError``.
    public init(decoding bytes: Bytes) throws(DecodeError) {
        // No time begins with the letter of the tag: it would be after the year 180,000,000,000.
        if bytes.starts(with: ReceivedBody.quotaTag) {
            var reader = ByteReader(Bytes(bytes.dropFirst(ReceivedBody.quotaTag.count)))
            self = .quota(time: try reader.int64())
            try reader.finish()
        } else {
            var reader = ByteReader(bytes)
            self = .message(time: try reader.int64(), try MessageFlags.read(from: &reader), body: reader.rest())
        }
    }

    /// Encrypts the body and returns the content of MSG. `secret` is the agreement of the keys in NEW and IDS.
    ///
    /// - Throws: ``CryptoError/messageTooLarge``.
    public func seal(messageID: EntityID, secret: Secret) throws(CryptoError) -> EncryptedMessage {
        let box = try SecretBox.sealPadded(
            encoded, to: ReceivedBody.paddedSize, nonce: Nonce(messageID.bytes), key: secret)
        return EncryptedMessage(messageID: messageID, encrypted: box)
    }

    /// Decrypts the content of MSG.
    ///
    /// - Throws: ``CryptoError`` for a damaged box or a malformed body.
    public init(opening message: EncryptedMessage, secret: Secret) throws(CryptoError) {
        let plain = try SecretBox.openPadded(
            message.encrypted, nonce: Nonce(message.messageID.bytes), key: secret)
        guard let body = try? ReceivedBody(decoding: plain) else { throw .invalidPadding }
        self = body
    }
}

/// The metadata of a notification (smp-agent.md 5.7).
public struct NotificationMetadata: Hashable, Sendable, ByteEncodable {
    /// The id of the message.
    public let messageID: EntityID
    /// The Unix time in seconds at which the relay received the message.
    public let time: Int64

    static let paddedSize = 128

    /// Creates a notification metadata from its parts.
    public init(messageID: EntityID, time: Int64) {
        self.messageID = messageID
        self.time = time
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.value(messageID)
        writer.int64(time)
    }

    /// Encrypts the metadata for NMSG. `secret` is the agreement of the keys in NKEY and NID.
    ///
    /// - Throws: ``CryptoError/messageTooLarge``.
    public func seal(nonce: Nonce, secret: Secret) throws(CryptoError) -> Bytes {
        try SecretBox.sealPadded(encoded, to: NotificationMetadata.paddedSize, nonce: nonce, key: secret)
    }

    /// Decrypts the box in NMSG. Later versions may append fields, which are ignored.
    ///
    /// - Throws: ``CryptoError``.
    public init(opening box: Bytes, nonce: Nonce, secret: Secret) throws(CryptoError) {
        var reader = ByteReader(try SecretBox.openPadded(box, nonce: nonce, key: secret))
        guard let messageID: EntityID = try? reader.value(), let time = try? reader.int64() else {
            throw .invalidPadding
        }
        self.init(messageID: messageID, time: time)
    }
}
