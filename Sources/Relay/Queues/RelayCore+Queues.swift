import ByteCoding
import CryptoCore
import SMPProtocol

// NEW, KEY, SKEY, RKEY, OFF, DEL, QUE: the life cycle of a queue (smp-agent.md 5.1, 12.2).

extension RelayCore {
    /// Handles NEW: creates a queue and returns its ids.
    func create(_ new: NewQueue, _ request: ClientRequest) throws -> RelayMessage {
        guard isAuthorized(request, by: [new.recipientKey]), rules.acceptsNewQueues, accepts(new.password) else {
            throw ProtocolError.authorization
        }
        // A service receives from all of its queues.
        guard request.service == nil || new.subscription == .subscribe else { throw ProtocolError.command(.prohibited) }
        // As if this relay accepted no new queues, which is so for this connection.
        guard request.client.createdQueues < rules.queuesPerConnection else { throw ProtocolError.authorization }
        guard queues.count < rules.queueLimit else {
            statistics.refusedForLimit += 1
            throw ProtocolError.internal
        }
        let cost = Cost.queue + (new.request?.link.map { $0.blobs.fixed.count + $0.blobs.user.count } ?? 0)
        try requireRoom(cost)
        try requireSpace(cost)
        guard rules.mayMakeQueue?(request.client.id) ?? true else {
            statistics.limitedQueues += 1
            throw ProtocolError.internal
        }
        let link = try newLink(new.request, request)
        let senderID = link?.senderID ?? randomID()
        guard try queues.isFree(senderID: senderID, linkID: link?.id) else { throw ProtocolError.authorization }
        let (secret, dhKey) = try agree(with: new.dhKey)
        let notifier = try new.notifier.map { try makeNotifier($0) }

        let queue = try queues.add(
            recipientID: randomID(), senderID: senderID, secret: secret, mode: new.request?.mode,
            recipientKey: new.recipientKey, today: today)
        if let link { try queues.setLink((link.id, link.blobs), of: queue) }
        if let notifier { try queues.setNotifier(notifier.notifier, of: queue) }
        if let service = request.service {
            try associate(queue, with: service, request.client)
        } else if new.subscription == .subscribe {
            addSubscription(to: queue, of: request.client)
        }
        statistics.createdQueues += 1
        request.client.createdQueues += 1
        return .ids(
            QueueIDs(
                recipientID: queue.recipientID, senderID: senderID, dhKey: dhKey, mode: queue.mode, linkID: link?.id,
                serviceID: request.service?.id, notifier: notifier?.ids))
    }

    /// Returns true if this is the relay's password, or the relay has none.
    func accepts(_ password: ServerPassword?) -> Bool {
        guard let wanted = rules.password else { return true }
        return constantTimeEqual(Bytes((password?.text ?? "").utf8), Bytes(wanted.text.utf8))
    }

    private func newLink(
        _ queue: QueueRequest?, _ request: ClientRequest
    ) throws -> (id: EntityID, senderID: EntityID, blobs: LinkBlobs)? {
        guard let link = queue?.link else { return nil }
        guard link.senderID == EntityID.sender(for: request.correlationID) else {
            throw ProtocolError.command(.prohibited)
        }
        // As for LSET: no row has an empty id.
        guard link.linkID?.isEmpty != true else { throw ProtocolError.authorization }
        return (link.linkID ?? randomID(), link.senderID, link.blobs)
    }

    /// Returns the relay's key and the secret of an agreement with a client's key.
    func agree(with key: X25519.PublicKey) throws -> (Secret, X25519.PublicKey) {
        let relayKey = X25519.PrivateKey(random: random)
        guard let secret = try? relayKey.agree(with: key) else { throw ProtocolError.crypto }
        return (secret, relayKey.publicKey)
    }

    /// Handles KEY: secures the queue for a sender. Another key is rejected afterwards; the same key has no effect.
    func secure(_ queue: Queue, with key: AuthorizationKey) throws -> RelayMessage {
        if let senderKey = queue.senderKey {
            guard senderKey == key else { throw ProtocolError.authorization }
            return .ok
        }
        try requireSpace(Cost.key, for: .rewriting)
        try queues.secure(queue, with: key)
        statistics.securedQueues += 1
        return .ok
    }

    /// Handles SKEY: secures a messaging queue by its sender, who authorizes with the new key.
    func secureBySender(with key: AuthorizationKey, _ request: ClientRequest) throws -> RelayMessage {
        let queue = try queues.queue(senderID: request.entityID)
        return try secure(securable(queue, with: key, request), with: key)
    }

    /// Returns the queue, if the holder of `key` authorized the command and may be, or is, its sender.
    func securable(_ queue: Queue?, with key: AuthorizationKey, _ request: ClientRequest) throws -> Queue {
        let isAllowed = queue?.mode == .messaging && (queue?.senderKey ?? key) == key
        guard isAuthorized(request, by: isAllowed ? [key] : []), let queue else { throw ProtocolError.authorization }
        try refuseBlocked(queue)
        try queues.touch(queue, today: today)
        return queue
    }

    /// Handles RKEY: replaces the recipient's keys, so that several devices can share a contact queue.
    func setRecipientKeys(_ keys: [AuthorizationKey], _ queue: Queue) throws -> RelayMessage {
        guard queue.mode == .contact else { throw ProtocolError.authorization }
        guard keys.count <= rules.recipientKeyLimit else { throw ProtocolError.command(.prohibited) }
        try requireSpace(keys.count * Cost.key)
        try queues.setRecipientKeys(keys, of: queue)
        return .ok
    }

    /// Handles OFF: suspends the queue. Stored messages can still be received.
    func turnOff(_ queue: Queue) throws -> RelayMessage {
        guard !queue.isOff else { return .ok }
        try requireSpace(Cost.key, for: .removal)
        try queues.turnOff(queue)
        return .ok
    }

    /// Handles DEL: deletes the queue with its messages and link.
    func delete(_ queue: Queue, _ client: Client) throws -> RelayMessage {
        try requireSpace(Cost.key, for: .removal)
        try messages.removeAll(of: queue)
        try dissociateDeleted(queue, client)
        try queues.remove(queue)
        client.subscriptions[queue.number] = nil
        client.fetched[queue.number] = nil
        endSubscription(to: queue.number, with: .deld, unlessOf: client)
        if let notifier = queue.notifier { endNotifications(of: notifier.id, unlessOf: client) }
        statistics.deletedQueues += 1
        return .ok
    }

    /// Handles QUE: returns the state of the queue to its recipient.
    func state(of queue: Queue, _ client: Client) throws -> RelayMessage {
        let waiting = try messages.messages(of: queue)
        let subscription = client.subscriptions[queue.number], fetched = client.fetched[queue.number]
        return .info(
            QueueState(
                isSecured: queue.senderKey != nil, hasNotifier: queue.notifier != nil,
                subscription: fetched == nil ? subscription?.state : .prohibited,
                delivered: (subscription?.deliveredID ?? fetched)?.bytes, size: waiting.count,
                message: waiting.first.map {
                    QueueState.Message(
                        messageID: $0.id.bytes, time: $0.time.description, kind: $0.isQuota ? .quota : .message)
                }))
    }
}

/// The upper bounds of the bytes that commands may add to the database and its log.
enum Cost {
    static let queue = 8192
    static let key = 4096
    /// A body has four pages.
    static let message = 6 * 4096
    /// The margin above that, before a full disk or store counts as having space again.
    static let margin = 1 << 20
}

// LSET, LDEL, LKEY, LGET: the two encrypted blobs of a short link, from version 15 (smp-agent.md 6.6).

extension RelayCore {
    /// Handles LSET: creates the link of the queue, or replaces the user blob of an existing one.
    func setLink(_ linkID: EntityID, _ blobs: LinkBlobs, _ queue: Queue) throws -> RelayMessage {
        // An invitation that was accepted is no longer an invitation.
        guard !queue.isSecuredForMessages, !linkID.isEmpty else { throw ProtocolError.authorization }
        if queue.linkID != nil {
            guard queue.linkID == linkID, try queues.blobs(of: queue)?.fixed == blobs.fixed else {
                throw ProtocolError.authorization
            }
        } else {
            // SECURITY: the link of another queue must not be replaced.
            guard try queues.queue(linkID: linkID) == nil else { throw ProtocolError.authorization }
        }
        try requireRoom(blobs.fixed.count + blobs.user.count + Cost.key)
        try requireSpace(blobs.fixed.count + blobs.user.count + Cost.key)
        try queues.setLink((linkID, blobs), of: queue)
        return .ok
    }

    /// Handles LDEL: removes the link, if there is one.
    func deleteLink(_ queue: Queue) throws -> RelayMessage {
        guard queue.linkID != nil else { return .ok }
        try requireSpace(Cost.key, for: .removal)
        try queues.setLink(nil, of: queue)
        return .ok
    }

    /// Handles LKEY: secures the queue of an invitation link and returns its blobs.
    func secureByLink(with key: AuthorizationKey, _ request: ClientRequest) throws -> RelayMessage {
        let queue = try securable(queues.queue(linkID: request.entityID), with: key, request)
        _ = try secure(queue, with: key)
        return try blobs(of: queue)
    }

    /// Handles LGET: returns the blobs of a contact link.
    func link(_ request: ClientRequest) throws -> RelayMessage {
        guard let queue = try queues.queue(linkID: request.entityID), queue.isContact else {
            throw ProtocolError.authorization
        }
        try refuseBlocked(queue)
        try queues.touch(queue, today: today)
        return try blobs(of: queue)
    }

    private func blobs(of queue: Queue) throws -> RelayMessage {
        guard let blobs = try queues.blobs(of: queue) else { throw ProtocolError.authorization }
        return .lnk(senderID: queue.senderID, blobs)
    }
}
