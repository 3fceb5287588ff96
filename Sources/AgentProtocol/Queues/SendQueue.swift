import ByteCoding
public import CryptoCore
public import SMPProtocol

/// A queue of the other side, which takes the messages of this side.
public struct SendQueue: Sendable {
    /// The relay.
    public let server: ServerAddress
    /// The id for the sender's commands.
    public let senderID: EntityID
    /// The mode of the queue.
    public let mode: QueueMode?
    /// The agreed version of ``MessageEnvelope``.
    public let version: UInt16
    /// The key that authorizes the sender's commands.
    public let authorizationKey: AuthorizationPrivateKey
    /// The own key of the agreement, which the first message shows.
    public let agreementKey: X25519.PublicKey
    /// The secret that encrypts messages for the recipient of the queue.
    public let secret: Secret

    /// Creates a send queue from its parts.
    public init(
        server: ServerAddress, senderID: EntityID, mode: QueueMode?, version: UInt16,
        authorizationKey: AuthorizationPrivateKey, agreementKey: X25519.PublicKey, secret: Secret
    ) {
        self.server = server
        self.senderID = senderID
        self.mode = mode
        self.version = version
        self.authorizationKey = authorizationKey
        self.agreementKey = agreementKey
        self.secret = secret
    }

    /// Creates new keys for a queue of the other side.
    ///
    /// - Throws: ``CryptoError/invalidKey`` if the key in its address is invalid.
    public init(_ address: AgreedQueueAddress, random: any RandomSource) throws(CryptoError) {
        let agreementKey = X25519.PrivateKey(random: random)
        self.init(
            server: address.location.server, senderID: address.location.senderID, mode: address.location.mode,
            version: address.version, authorizationKey: .ed25519(Ed25519.PrivateKey(random: random)),
            agreementKey: agreementKey.publicKey, secret: try agreementKey.agree(with: address.location.dhKey))
    }

    /// True if this side secures the queue. Otherwise the recipient secures it on request.
    public var senderCanSecure: Bool { mode == .messaging }

    /// The SKEY that secures the queue.
    public var securing: ClientCommand { .skey(authorizationKey.publicKey) }

    /// Returns true if a message of this kind is authorized. The first message of a queue that its recipient secures is
    /// not.
    public func authorizes(_ kind: OutgoingMessage.Kind) -> Bool {
        senderCanSecure || kind != .confirmation
    }

    /// Returns the SEND of a message. Every attempt encrypts with a new nonce for the recipient of the queue; the
    /// plaintext stays the same.
    public func sending(_ message: OutgoingMessage, random: any RandomSource) throws(CryptoError) -> ClientCommand {
        let isFirst = message.kind == .confirmation
        let inner = ClientMessage(
            senderKey: authorizes(message.kind) ? nil : authorizationKey.publicKey, body: message.envelope)
        let envelope = try MessageEnvelope(
            sealing: inner, paddedTo: isFirst ? MessageEnvelope.confirmationSize : MessageEnvelope.messageSize,
            version: version, showing: isFirst ? agreementKey : nil, nonce: Nonce(random: random),
            secret: secret)
        return .send(MessageFlags(notifies: message.notifies), body: envelope.encoded)
    }
}
