public import ByteCoding
public import CryptoCore
public import Ratchet
public import SMPProtocol

/// A queue and a short link to it, which one NEW makes together.
///
/// The records behind the link tell the queue's sender id, so it has to be known before the relay makes the queue: it
/// follows from the correlation id, which the NEW has to carry. An attempt that fails is repeated with a new value.
///
/// ```swift
/// let new = try NewLinkedQueue.invitation(on: server, keys.offer(RatchetVersion.supported), random: random)
/// let parameters = try new.request(showing: .invitation(content), password: nil, random: random)
/// // .new(parameters), authorized with new.authorizationKey, with new.correlationID; answered by IDS
/// let (queue, link) = try new.made(ids)
/// ```
///
/// Relays know links from ``SMP/shortLinks`` on; older ones have to be asked for a queue without a link.
public struct NewLinkedQueue: Sendable {
    /// The correlation id of NEW.
    public let correlationID: CorrelationID
    public let server: ServerAddress
    /// The full link.
    public let request: ConnectionRequest
    private let keys: NewQueueKeys
    private let mode: QueueMode
    private let owned: OwnedLink

    /// A queue for whoever gets the invitation. `offer` are the public halves of keys that the connection keeps.
    public static func invitation(
        on server: ServerAddress, _ offer: RatchetOffer, random: any RandomSource
    ) throws(LinkError) -> NewLinkedQueue {
        try NewLinkedQueue(
            on: server, mode: .messaging, rootKey: Ed25519.PrivateKey(random: random), random: random
        ) { queues in .invitation(queues, offer) }
    }

    /// A queue for the requests of many.
    ///
    /// - Parameters:
    ///   - clientText: Text for the application, in the full link.
    ///   - entityID: What the address leads to, for the application.
    ///   - rootKey: A key that the application made, or nil for a new one.
    public static func address(
        on server: ServerAddress, clientText: String? = nil, entityID: Bytes? = nil,
        rootKey: Ed25519.PrivateKey? = nil, random: any RandomSource
    ) throws(LinkError) -> NewLinkedQueue {
        try NewLinkedQueue(
            on: server, mode: .contact, clientText: clientText, entityID: entityID,
            rootKey: rootKey ?? Ed25519.PrivateKey(random: random), random: random
        ) { queues in .contact(queues) }
    }

    private init(
        on server: ServerAddress, mode: QueueMode, clientText: String? = nil, entityID: Bytes? = nil,
        rootKey: Ed25519.PrivateKey, random: any RandomSource, request: (ConnectionQueues) -> ConnectionRequest
    ) throws(LinkError) {
        let correlationID = CorrelationID(random: random)
        let keys = NewQueueKeys(random: random)
        let location = keys.location(on: server, senderID: .sender(for: correlationID), mode: mode)
        let address = QueueAddress(versions: MessageEnvelope.versions, location: location)
        let request = request(
            ConnectionQueues(versions: AgentVersion.supported, queues: [address], clientText: clientText))
        owned = try OwnedLink(to: request, entityID: entityID, rootKey: rootKey, random: random)
        self.correlationID = correlationID
        self.server = server
        self.request = request
        self.keys = keys
        self.mode = mode
    }

    /// Authorizes NEW.
    public var authorizationKey: AuthorizationPrivateKey { keys.authorizationKey }

    /// The parameters of NEW. Fails if the record does not fit the link.
    public func request(
        showing record: UserLinkRecord, password: ServerPassword?, subscription: SubscriptionMode = .subscribe,
        random: any RandomSource
    ) throws(LinkError) -> NewQueue {
        let link = try owned.newLink(
            senderID: .sender(for: correlationID), showing: record, random: random)
        return keys.request(mode: mode, password: password, subscription: subscription, link: link)
    }

    /// The queue and the link that the relay made.
    public func made(_ ids: QueueIDs) throws(LinkError) -> (queue: ReceiveQueue, link: OwnedLink) {
        guard ids.senderID == .sender(for: correlationID), ids.mode == mode, let linkID = ids.linkID,
            owned.linkID == nil || owned.linkID == linkID, let queue = try? keys.queue(on: server, ids: ids)
        else { throw .notTaken }
        return (queue, owned.named(linkID))
    }
}
