public import ByteCoding
public import CryptoCore

/// The body of SEND: the message that a sender encrypts for the recipient of a queue (smp-agent.md 7.3).
///
/// This layer prevents relays from linking the messages of different queues.
///
/// ```
/// version (2) ‖ optional sender key ‖ nonce (24) ‖ box of the padded client message
/// ```
public struct MessageEnvelope: Hashable, Sendable, ByteCodable {
    /// The versions of this layer and of queue addresses ("SMP client" versions): 2 several hosts, 3 SKEY, 4 queue
    /// mode.
    public static let versions = VersionRange(1, 4)
    /// The padded size of confirmations and invitations, which contain the sender's key, in bytes.
    public static let confirmationSize = 15904
    /// The padded size of all other messages, in bytes.
    public static let messageSize = 16000

    /// The version of this layer.
    public let version: UInt16
    /// The sender's key, in the first envelope of a queue only. The recipient keeps the agreement for later envelopes.
    public let senderKey: X25519.PublicKey?
    /// The nonce of the box.
    public let nonce: Nonce
    /// The encrypted client message: tag, then ciphertext.
    public let box: Bytes

    /// Creates a message envelope from its parts.
    public init(version: UInt16, senderKey: X25519.PublicKey?, nonce: Nonce, box: Bytes) {
        self.version = version
        self.senderKey = senderKey
        self.nonce = nonce
        self.box = box
    }

    /// Encrypts a client message with the agreement of the sender's key and the key in the queue's address.
    ///
    /// - Throws: ``CryptoError/messageTooLarge``.
    public init(
        sealing message: ClientMessage, paddedTo size: Int, version: UInt16, showing senderKey: X25519.PublicKey?,
        nonce: Nonce, secret: Secret
    ) throws(CryptoError) {
        let box = try SecretBox.sealPadded(message.encoded, to: size, nonce: nonce, key: secret)
        self.init(version: version, senderKey: senderKey, nonce: nonce, box: box)
    }

    /// Decrypts the client message.
    ///
    /// - Throws: ``CryptoError`` for a damaged box or a malformed message.
    public func open(secret: Secret) throws(CryptoError) -> ClientMessage {
        let plain = try SecretBox.openPadded(box, nonce: nonce, key: secret)
        guard let message = try? ClientMessage(decoding: plain) else { throw .invalidPadding }
        return message
    }

    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        version = try reader.uint16()
        senderKey = try reader.optional()
        nonce = try reader.value()
        box = reader.rest()
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.uint16(version)
        writer.optional(senderKey)
        writer.value(nonce)
        writer.raw(box)
    }
}

/// The plaintext of a ``MessageEnvelope``: a header for the queue, and an agent envelope.
public struct ClientMessage: Hashable, Sendable, ByteCodable {
    /// A key with which the recipient is to secure the queue, for queues that their sender cannot secure. Letter `K`;
    /// `_` without a key.
    public let senderKey: AuthorizationKey?
    /// The encoded agent envelope.
    public let body: Bytes

    /// Creates a client message from its parts.
    public init(senderKey: AuthorizationKey? = nil, body: Bytes) {
        self.senderKey = senderKey
        self.body = body
    }

    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        switch try reader.uint8() {
        case UInt8(ascii: "K"): senderKey = try reader.value()
        case UInt8(ascii: "_"): senderKey = nil
        default: throw .invalid("private header")
        }
        body = reader.rest()
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        if let senderKey {
            writer.character("K")
            writer.value(senderKey)
        } else {
            writer.character("_")
        }
        writer.raw(body)
    }
}
