public import ByteCoding
public import CryptoCore
public import SMPProtocol

/// A queue of this side: messages of the other side come in through it.
public struct ReceiveQueue: Sendable {
    public let server: ServerAddress
    /// Names the queue in the recipient's commands.
    public let recipientID: EntityID
    /// Names the queue in the sender's commands.
    public let senderID: EntityID
    public let mode: QueueMode?
    /// Authorizes the recipient's commands.
    public let authorizationKey: Ed25519.PrivateKey
    /// The agreement of NEW and IDS: what the relay encrypts messages with.
    public let relaySecret: Secret
    /// The private half of the key in the queue's address.
    public let agreementKey: X25519.PrivateKey
    /// The sender, since its confirmation came.
    public internal(set) var sender: Sender?

    /// What the recipient knows of the sender.
    public struct Sender: Sendable {
        /// The version of ``MessageEnvelope`` that both sides agreed on.
        public let version: UInt16
        /// What the sender encrypts messages with, below the relay's encryption.
        public let secret: Secret

        public init(version: UInt16, secret: Secret) {
            self.version = version
            self.secret = secret
        }
    }

    public init(
        server: ServerAddress, recipientID: EntityID, senderID: EntityID, mode: QueueMode?,
        authorizationKey: Ed25519.PrivateKey, relaySecret: Secret, agreementKey: X25519.PrivateKey,
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

    /// How a sender reaches the queue.
    public var location: QueueLocation {
        QueueLocation(server: server, senderID: senderID, dhKey: agreementKey.publicKey, mode: mode)
    }

    /// How the two sides speak of the queue.
    public var senderAddress: SenderQueueAddress {
        SenderQueueAddress(server: server, senderID: senderID)
    }

    /// Removes the sender's encryption of a message.
    ///
    /// The first message of a queue shows the sender's key; a later one with a key repeats the first.
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

/// A message without the encryption of its queue; the ratchet's is still there.
public struct OpenedMessage: Sendable {
    /// The queue through which it came.
    let queueID: EntityID
    let sender: ReceiveQueue.Sender
    /// A key that the sender asks to secure the queue with.
    let senderKey: AuthorizationKey?
    public let envelope: AgentEnvelope

    /// Identifies a message, or the keys for a new ratchet: a repeated delivery has the same, another message never. Nil for
    /// what is recognised by the state of its connection.
    public var repetitionHash: Bytes? {
        switch envelope.content {
        case .message(let encrypted): SHA256.hash(encrypted)
        // A request that is sent again is encrypted anew for the queue, and is the same inside.
        case .invitation(let link, let information): SHA256.hash(Bytes(link.utf8) + information)
        case .ratchetKey(let parameters, _): parameters.ratchetKeyHash
        case .confirmation: nil
        }
    }
}

/// The keys of a queue that is being created. An attempt that fails takes its keys with it.
public struct NewQueueKeys: Sendable {
    private let authorization: Ed25519.PrivateKey
    private let relay: X25519.PrivateKey
    private let agreement: X25519.PrivateKey

    public init(random: any RandomSource) {
        authorization = Ed25519.PrivateKey(random: random)
        relay = X25519.PrivateKey(random: random)
        agreement = X25519.PrivateKey(random: random)
    }

    /// Authorizes NEW.
    public var authorizationKey: AuthorizationPrivateKey { .ed25519(authorization) }

    /// The parameters of NEW. `mode` is nil for a queue that its sender cannot secure.
    public func request(
        mode: QueueMode?, password: ServerPassword?, subscription: SubscriptionMode, link: NewLink? = nil
    ) -> NewQueue {
        NewQueue(
            recipientKey: .ed25519(authorization.publicKey), dhKey: relay.publicKey, password: password,
            subscription: subscription, request: mode.map { QueueRequest(mode: $0, link: link) })
    }

    /// How a sender will reach the queue, if its sender id is known before it is made.
    func location(on server: ServerAddress, senderID: EntityID, mode: QueueMode) -> QueueLocation {
        QueueLocation(server: server, senderID: senderID, dhKey: agreement.publicKey, mode: mode)
    }

    /// The queue that the relay made. Fails if the relay's key is no key.
    public func queue(on server: ServerAddress, ids: QueueIDs) throws(CryptoError) -> ReceiveQueue {
        ReceiveQueue(
            server: server, recipientID: ids.recipientID, senderID: ids.senderID, mode: ids.mode,
            authorizationKey: authorization, relaySecret: try relay.agree(with: ids.dhKey), agreementKey: agreement)
    }
}
