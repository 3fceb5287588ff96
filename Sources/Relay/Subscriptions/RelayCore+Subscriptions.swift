import SMPProtocol

// SUB, GET, ACK: how messages reach their recipient, one at a time.

extension RelayCore {
    /// SUB: from now on this connection, and no other, gets the messages of the queue. One that waits is delivered, also
    /// if it was before.
    func subscribe(_ queue: Queue, _ client: Client) throws -> RelayMessage {
        let subscription: Subscription
        if let existing = client.subscriptions[queue.number] {
            guard !existing.isForGet else { throw ProtocolError.command(.prohibited) }
            subscription = existing
        } else {
            subscription = addSubscription(to: queue, of: client)
        }
        try deliver(queue, to: subscription)
        return .sok(serviceID: nil)
    }

    /// Subscribes a connection, which ends the subscription of another.
    @discardableResult
    func addSubscription(to queue: Queue, of client: Client) -> Subscription {
        endSubscription(to: queue.number, with: .end, unlessOf: client)
        let subscription = Subscription(to: queue, of: client, isForGet: false)
        client.subscriptions[queue.number] = subscription
        subscribers[queue.number] = subscription
        statistics.subscriptions = subscribers.count
        return subscription
    }

    /// Ends the subscription to a queue and tells why, unless it is the client's own doing.
    func endSubscription(to queue: Int64, with event: RelayMessage, unlessOf client: Client) {
        guard let ended = subscribers.removeValue(forKey: queue) else { return }
        statistics.subscriptions = subscribers.count
        guard ended.client !== client else { return }
        ended.client.subscriptions[queue] = nil
        report(event, of: ended.recipientID, to: ended.client)
    }

    /// GET: the first message, without a subscription.
    func fetch(_ queue: Queue, _ client: Client) throws -> RelayMessage {
        if let existing = client.subscriptions[queue.number], !existing.isForGet {
            throw ProtocolError.command(.prohibited)
        }
        let subscription =
            client.subscriptions[queue.number] ?? Subscription(to: queue, of: client, isForGet: true)
        client.subscriptions[queue.number] = subscription
        subscription.delivery = .none
        return try nextMessage(of: queue, for: subscription) ?? .ok
    }

    /// ACK: removes the message that was delivered last and returns the next one, if there is one (not after GET).
    ///
    /// An empty id means whatever was delivered.
    func acknowledge(_ messageID: EntityID, _ queue: Queue, _ client: Client) throws -> RelayMessage {
        guard let subscription = client.subscriptions[queue.number], let delivered = subscription.deliveredID,
            messageID.isEmpty || messageID == delivered
        else { throw ProtocolError.noMessage }
        try requireSpace(Cost.key, for: .removal)
        subscription.delivery = .none
        // Another connection may have taken it with GET, or it may have expired.
        if let first = try messages.messages(of: queue).first, first.id == delivered {
            try messages.removeFirst(of: queue)
            if !first.isQuota { statistics.acknowledgedMessages += 1 }
        }
        guard !subscription.isForGet else { return .ok }
        return try nextMessage(of: queue, for: subscription) ?? .ok
    }

    // MARK: - Delivery

    /// Sends the first message of a queue to its subscriber, or lets it wait for room.
    func deliver(_ queue: Queue, to subscription: Subscription) throws {
        let client = subscription.client
        guard client.room.messages > 0 else {
            subscription.delivery = .waiting
            client.waiting.append(queue.number)
            return
        }
        subscription.delivery = .none
        guard let message = try nextMessage(of: queue, for: subscription) else { return }
        client.room.messages -= 1
        report(message, of: queue.recipientID, to: client)
    }

    /// Delivers what waited for room, as far as there is room now.
    func deliverWaiting(to client: Client) throws {
        while client.room.messages > 0, let number = client.waiting.popFirst() {
            // The subscription may have ended, or the message may have been delivered with a second SUB.
            guard let subscription = client.subscriptions[number], subscription.delivery == .waiting,
                let queue = try? queues.queue(number: number)
            else { continue }
            try deliver(queue, to: subscription)
        }
    }

    /// The first message of a queue, which counts as delivered from now on.
    private func nextMessage(of queue: Queue, for subscription: Subscription) throws -> RelayMessage? {
        guard let message = try messages.messages(of: queue).first else { return nil }
        let box = try messages.box(of: message)
        subscription.delivery = .delivered(message.id)
        statistics.deliveredMessages += 1
        return .msg(EncryptedMessage(messageID: message.id, encrypted: box))
    }
}
