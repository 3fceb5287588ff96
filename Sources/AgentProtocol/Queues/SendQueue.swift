import ByteCoding
public import CryptoCore
public import SMPProtocol

/// A queue of the other side: messages go out through it.
public struct SendQueue: Sendable {
    public let server: ServerAddress
    public let senderID: EntityID
    public let mode: QueueMode?
    /// The version of ``MessageEnvelope`` that both sides agreed on.
    public let version: UInt16
    /// Authorizes the sender's commands.
    public let authorizationKey: Ed25519.PrivateKey
    /// The private half of the key that the first message shows.
    public let agreementKey: X25519.PrivateKey
    /// What messages are encrypted with for the recipient of the queue.
    public let secret: Secret

    public init(
        server: ServerAddress, senderID: EntityID, mode: QueueMode?, version: UInt16,
        authorizationKey: Ed25519.PrivateKey, agreementKey: X25519.PrivateKey, secret: Secret
    ) {
        self.server = server
        self.senderID = senderID
        self.mode = mode
        self.version = version
        self.authorizationKey = authorizationKey
        self.agreementKey = agreementKey
        self.secret = secret
    }

    /// New keys for a queue of the other side. Fails if the key in its address is no key.
    public init(_ address: AgreedQueueAddress, random: any RandomSource) throws(CryptoError) {
        let agreementKey = X25519.PrivateKey(random: random)
        self.init(
            server: address.location.server, senderID: address.location.senderID, mode: address.location.mode,
            version: address.version, authorizationKey: Ed25519.PrivateKey(random: random), agreementKey: agreementKey,
            secret: try agreementKey.agree(with: address.location.dhKey))
    }

    /// Whether this side secures the queue, or has to ask its recipient to do so.
    public var senderCanSecure: Bool { mode == .messaging }

    /// SKEY.
    public var securing: ClientCommand { .skey(.ed25519(authorizationKey.publicKey)) }

    /// Whether a message of this kind is authorized: the first one of a queue that its recipient secures cannot be.
    public func authorizes(_ kind: OutgoingMessage.Kind) -> Bool {
        senderCanSecure || kind != .confirmation
    }

    /// The SEND of a message. Every attempt encrypts anew for the recipient of the queue; what is inside stays the same.
    public func sending(_ message: OutgoingMessage, random: any RandomSource) throws(CryptoError) -> ClientCommand {
        let isFirst = message.kind == .confirmation
        let inner = ClientMessage(
            senderKey: authorizes(message.kind) ? nil : .ed25519(authorizationKey.publicKey), body: message.envelope)
        let envelope = try MessageEnvelope(
            sealing: inner, paddedTo: isFirst ? MessageEnvelope.confirmationSize : MessageEnvelope.messageSize,
            version: version, showing: isFirst ? agreementKey.publicKey : nil, nonce: Nonce(random: random),
            secret: secret)
        return .send(MessageFlags(notifies: message.notifies), body: envelope.encoded)
    }
}
