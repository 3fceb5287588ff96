public import ByteCoding
public import CryptoCore

/// The body of SEND: what the sender of a queue encrypts for its recipient, so that relays cannot link the message that
/// enters a queue to others.
///
/// ```
/// version (2) ‖ optional sender key ‖ nonce (24) ‖ box of the padded client message
/// ```
public struct MessageEnvelope: Hashable, Sendable, ByteCodable {
    /// Versions of this layer and of queue addresses ("SMP client" versions): 2 several hosts, 3 SKEY, 4 queue mode.
    public static let versions = VersionRange(1, 4)
    /// The padded size of confirmations and invitations, which show the sender's key.
    public static let confirmationSize = 15904
    /// The padded size of everything else.
    public static let messageSize = 16000

    public let version: UInt16
    /// Shown in the first envelope of a queue; the recipient keeps the agreement for the later ones.
    public let senderKey: X25519.PublicKey?
    public let nonce: Nonce
    public let box: Bytes

    public init(version: UInt16, senderKey: X25519.PublicKey?, nonce: Nonce, box: Bytes) {
        self.version = version
        self.senderKey = senderKey
        self.nonce = nonce
        self.box = box
    }

    /// Encrypts a client message with the agreement of the sender's key and the key in the queue's address.
    public init(
        sealing message: ClientMessage, paddedTo size: Int, version: UInt16, showing senderKey: X25519.PublicKey?,
        nonce: Nonce, secret: Secret
    ) throws(CryptoError) {
        let box = try SecretBox.sealPadded(message.encoded, to: size, nonce: nonce, key: secret)
        self.init(version: version, senderKey: senderKey, nonce: nonce, box: box)
    }

    /// Decrypts the client message.
    public func open(secret: Secret) throws(CryptoError) -> ClientMessage {
        let plain = try SecretBox.openPadded(box, nonce: nonce, key: secret)
        guard let message = try? ClientMessage(decoding: plain) else { throw .invalidPadding }
        return message
    }

    public init(from reader: inout ByteReader) throws(DecodeError) {
        version = try reader.uint16()
        senderKey = try reader.optional()
        nonce = try reader.value()
        box = reader.rest()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.uint16(version)
        writer.optional(senderKey)
        writer.value(nonce)
        writer.raw(box)
    }
}

/// The plaintext of a ``MessageEnvelope``: a header that speaks about the queue, and an agent's envelope.
public struct ClientMessage: Hashable, Sendable, ByteCodable {
    /// Asks the recipient to secure the queue with this key: for queues that their sender cannot secure. Letter `K`, or
    /// `_` for nothing.
    public let senderKey: AuthorizationKey?
    public let body: Bytes

    public init(senderKey: AuthorizationKey? = nil, body: Bytes) {
        self.senderKey = senderKey
        self.body = body
    }

    public init(from reader: inout ByteReader) throws(DecodeError) {
        switch try reader.uint8() {
        case UInt8(ascii: "K"): senderKey = try reader.value()
        case UInt8(ascii: "_"): senderKey = nil
        default: throw .invalid("private header")
        }
        body = reader.rest()
    }

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
