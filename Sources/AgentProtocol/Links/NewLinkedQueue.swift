public import ByteCoding
public import CryptoCore
public import Ratchet
public import SMPProtocol

/// A new queue with a short link, made with one NEW (smp-agent.md 6.6).
///
/// The records behind the link contain the queue's sender id, so it must be known before the relay creates the queue.
/// It is derived from the correlation id, which the NEW must have. A failed attempt is repeated with a new value.
///
/// ```swift
/// let new = try NewLinkedQueue.invitation(on: server, keys.offer(RatchetVersion.supported), random: random)
/// let parameters = try new.request(showing: .invitation(content), password: nil, random: random)
/// // .new(parameters), authorized with new.authorizationKey, with new.correlationID; the response is IDS
/// let (queue, link) = try new.made(ids)
/// ```
///
/// Relays support links from ``SMP/shortLinks`` on; older relays create a queue without a link.
public struct NewLinkedQueue: Sendable {
    /// The correlation id of NEW.
    public let correlationID: CorrelationID
    /// The relay.
    public let server: ServerAddress
    /// The full link.
    public let request: ConnectionRequest
    private let keys: NewQueueKeys
    private let mode: QueueMode
    private let owned: OwnedLink

    /// Creates a queue for the joiner of an invitation. `offer` contains the public halves of keys that the connection
    /// stores.
    ///
    /// - Throws: ``LinkError/tooLarge(excess:)``.
    public static func invitation(
        on server: ServerAddress, _ offer: RatchetOffer, random: any RandomSource
    ) throws(LinkError) -> NewLinkedQueue {
        try NewLinkedQueue(
            on: server, mode: .messaging, rootKey: Ed25519.PrivateKey(random: random), random: random
        ) { queues in .invitation(queues, offer) }
    }

    /// Creates a queue for the requests of many.
    ///
    /// - Parameters:
    ///   - clientText: Text for the application, in the full link.
    ///   - entityID: The target of the address, for the application.
    ///   - rootKey: A key of the application, or nil for a new one.
    /// - Throws: ``LinkError/tooLarge(excess:)``.
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

    /// The key that authorizes NEW.
    public var authorizationKey: AuthorizationPrivateKey { keys.authorizationKey }

    /// Returns the short link of an address, before the queue exists; nil for an invitation.
    public func link(_ kind: AddressKind) -> ShortLink? {
        owned.link(on: server, kind: kind)
    }

    /// Returns the parameters of NEW.
    ///
    /// - Throws: ``LinkError/tooLarge(excess:)`` and the errors of ``OwnedLink/blobs(showing:random:)``.
    public func request(
        showing record: UserLinkRecord, password: ServerPassword?, subscription: SubscriptionMode = .subscribe,
        random: any RandomSource
    ) throws(LinkError) -> NewQueue {
        let link = try owned.newLink(
            senderID: .sender(for: correlationID), showing: record, random: random)
        return keys.request(mode: mode, password: password, subscription: subscription, link: link)
    }

    /// Returns the queue and the link that the relay created.
    ///
    /// - Throws: ``LinkError/notTaken`` if the relay created another queue.
    public func made(_ ids: QueueIDs) throws(LinkError) -> (queue: ReceiveQueue, link: OwnedLink) {
        guard ids.senderID == .sender(for: correlationID), ids.mode == mode, let linkID = ids.linkID,
            owned.linkID == nil || owned.linkID == linkID, let queue = try? keys.queue(on: server, ids: ids)
        else { throw .notTaken }
        return (queue, owned.named(linkID))
    }
}
