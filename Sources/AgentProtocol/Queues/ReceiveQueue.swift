public import ByteCoding
public import CryptoCore
public import SMPProtocol

/// A queue of this side, which receives the messages of the other side.
public struct ReceiveQueue: Sendable {
    /// The relay.
    public let server: ServerAddress
    /// The id for the recipient's commands.
    public let recipientID: EntityID
    /// The id for the sender's commands.
    public let senderID: EntityID
    /// The mode of the queue.
    public let mode: QueueMode?
    /// The key that authorizes the recipient's commands.
    public let authorizationKey: AuthorizationPrivateKey
    /// The agreement of NEW and IDS, with which the relay encrypts messages.
    public let relaySecret: Secret
    /// The private half of the key in the queue's address.
    public let agreementKey: X25519.PrivateKey
    /// The sender, after its confirmation.
    public internal(set) var sender: Sender?

    /// The sender's version and secret.
    public struct Sender: Sendable {
        /// The agreed version of ``MessageEnvelope``.
        public let version: UInt16
        /// The secret of the sender's encryption, below the relay's encryption.
        public let secret: Secret

        /// Creates a sender from its parts.
        public init(version: UInt16, secret: Secret) {
            self.version = version
            self.secret = secret
        }
    }

    /// Creates a receive queue from its parts.
    public init(
        server: ServerAddress, recipientID: EntityID, senderID: EntityID, mode: QueueMode?,
        authorizationKey: AuthorizationPrivateKey, relaySecret: Secret, agreementKey: X25519.PrivateKey,
        sender: Sender? = nil
    ) {
        self.server = server
        self.recipientID = recipientID
        self.senderID = senderID
        self.mode = mode
        self.authorizationKey = authorizationKey
        self.relaySecret = relaySecret
        self.agreementKey = agreementKey
        self.sender = sender
    }

    /// The location for a sender.
    public var location: QueueLocation {
        QueueLocation(server: server, senderID: senderID, dhKey: agreementKey.publicKey, mode: mode)
    }

    /// The name of the queue for both sides.
    public var senderAddress: SenderQueueAddress {
        SenderQueueAddress(server: server, senderID: senderID)
    }

    /// Decrypts the sender's encryption of a message.
    ///
    /// The first message of a queue contains the sender's key; a later message with a key repeats the first.
    ///
    /// - Throws: ``ReceptionError/notAuthentic``, ``ReceptionError/malformed(_:)``, ``ReceptionError/incompatible``.
    public func open(_ body: Bytes) throws(ReceptionError) -> OpenedMessage {
        let envelope: MessageEnvelope
        do throws(DecodeError) { envelope = try MessageEnvelope(decoding: body) } catch { throw .malformed(error) }
        guard MessageEnvelope.versions.contains(envelope.version) else { throw .incompatible }
        let opening: Sender
        switch (envelope.senderKey, sender) {
        case (nil, let sender?): opening = sender
        case (let key?, nil):
            guard let secret = try? agreementKey.agree(with: key) else { throw .notAuthentic }
            opening = Sender(version: min(envelope.version, MessageEnvelope.versions.max), secret: secret)
        case (.some, .some): throw .repeated
        case (nil, nil): throw .unexpected
        }
        guard let message = try? envelope.open(secret: opening.secret) else { throw .notAuthentic }
        do throws(DecodeError) {
            return OpenedMessage(
                queueID: recipientID, sender: opening, senderKey: message.senderKey,
                envelope: try AgentEnvelope(decoding: message.body))
        } catch {
            throw .malformed(error)
        }
    }
}

/// A message without the encryption of its queue, still encrypted by the ratchet.
public struct OpenedMessage: Sendable {
    /// The queue of the message.
    let queueID: EntityID
    let sender: ReceiveQueue.Sender
    /// The key with which the recipient is to secure the queue.
    let senderKey: AuthorizationKey?
    /// The envelope.
    public let envelope: AgentEnvelope

    /// The hash of a message, or of the keys for a new ratchet, equal for a repeated delivery only. Nil if the state of
    /// the connection detects a repetition.
    public var repetitionHash: Bytes? {
        switch envelope.content {
        case .message(let encrypted): SHA256.hash(encrypted)
        // A repeated request is encrypted again for the queue and has the same plaintext.
        case .invitation(let link, let information): SHA256.hash(Bytes(link.utf8) + information)
        case .ratchetKey(let parameters, _): parameters.ratchetKeyHash
        case .confirmation: nil
        }
    }
}

/// The keys of a queue that is being created. A failed attempt discards its keys.
public struct NewQueueKeys: Sendable {
    private let authorization: Ed25519.PrivateKey
    private let relay: X25519.PrivateKey
    private let agreement: X25519.PrivateKey

    /// Creates random keys.
    public init(random: any RandomSource) {
        authorization = Ed25519.PrivateKey(random: random)
        relay = X25519.PrivateKey(random: random)
        agreement = X25519.PrivateKey(random: random)
    }

    /// The key that authorizes NEW.
    public var authorizationKey: AuthorizationPrivateKey { .ed25519(authorization) }

    /// Returns the parameters of NEW. `mode` is nil for a queue that its sender cannot secure.
    public func request(
        mode: QueueMode?, password: ServerPassword?, subscription: SubscriptionMode, link: NewLink? = nil
    ) -> NewQueue {
        NewQueue(
            recipientKey: .ed25519(authorization.publicKey), dhKey: relay.publicKey, password: password,
            subscription: subscription, request: mode.map { QueueRequest(mode: $0, link: link) })
    }

    /// Returns the location of a queue whose sender id is known in advance.
    func location(on server: ServerAddress, senderID: EntityID, mode: QueueMode) -> QueueLocation {
        QueueLocation(server: server, senderID: senderID, dhKey: agreement.publicKey, mode: mode)
    }

    /// Returns the queue that the relay created.
    ///
    /// - Throws: ``CryptoError/invalidKey`` if the relay's key is invalid.
    public func queue(on server: ServerAddress, ids: QueueIDs) throws(CryptoError) -> ReceiveQueue {
        ReceiveQueue(
            server: server, recipientID: ids.recipientID, senderID: ids.senderID, mode: ids.mode,
            authorizationKey: authorizationKey, relaySecret: try relay.agree(with: ids.dhKey), agreementKey: agreement)
    }
}
