import SMPProtocol

// SUB, GET, ACK: the delivery of messages to their recipient, one at a time (smp-agent.md 12.3).

extension RelayCore {
    /// Handles SUB: subscribes this connection, and no other, to the queue. A waiting message is delivered, even if it was
    /// delivered before. The SUB of a service associates the queue with the service; that of another client ends such an
    /// association.
    func subscribe(_ queue: Queue, _ request: ClientRequest) throws -> RelayMessage {
        let client = request.client
        guard client.fetched[queue.number] == nil else { throw ProtocolError.command(.prohibited) }
        if let service = request.service {
            try associate(queue, with: service, client)
        } else {
            try dissociate(queue, client)
        }
        let subscription = client.subscriptions[queue.number] ?? addSubscription(to: queue, of: client)
        try deliver(queue, to: subscription)
        return .sok(serviceID: request.service?.id)
    }

    /// Subscribes a connection, which ends the subscription of another.
    @discardableResult
    func addSubscription(to queue: Queue, of client: Client) -> ClientSubscription {
        endSubscription(to: queue.number, with: .end, unlessOf: client)
        let subscription = ClientSubscription(to: queue, of: client)
        client.subscriptions[queue.number] = subscription
        subscribers[queue.number] = subscription
        statistics.subscriptions = subscribers.count
        return subscription
    }

    /// Ends the subscription to a queue and sends `event`, unless the client itself caused it.
    func endSubscription(to queue: Int64, with event: RelayMessage, unlessOf client: Client) {
        guard let ended = subscribers.removeValue(forKey: queue) else { return }
        statistics.subscriptions = subscribers.count
        guard ended.client !== client else { return }
        ended.client.subscriptions[queue] = nil
        report(event, of: ended.recipientID, to: ended.client)
    }

    /// Handles GET: returns the first message, without a subscription.
    func fetch(_ queue: Queue, _ client: Client) throws -> RelayMessage {
        guard client.subscriptions[queue.number] == nil else { throw ProtocolError.command(.prohibited) }
        // A queue without messages leaves no state: a client may query any number of them.
        guard let next = try nextMessage(of: queue) else {
            client.fetched[queue.number] = nil
            return .ok
        }
        guard client.fetched[queue.number] != nil || client.fetched.count < rules.fetchedMessages else {
            throw ProtocolError.quota
        }
        client.fetched[queue.number] = next.id
        return next.message
    }

    /// Handles ACK: deletes the last delivered message and returns the next one, if there is one (not after GET).
    ///
    /// An empty id acknowledges any delivered message.
    func acknowledge(_ messageID: EntityID, _ queue: Queue, _ client: Client) throws -> RelayMessage {
        let subscription = client.subscriptions[queue.number]
        guard let delivered = subscription?.deliveredID ?? client.fetched[queue.number],
            messageID.isEmpty || messageID == delivered
        else { throw ProtocolError.noMessage }
        try requireSpace(Cost.key, for: .removal)
        subscription?.delivery = .none
        client.fetched[queue.number] = nil
        // Another connection may have received it with GET, or it may have expired.
        if let first = try messages.messages(of: queue).first, first.id == delivered {
            try messages.removeFirst(of: queue)
            if !first.isQuota { statistics.acknowledgedMessages += 1 }
        }
        guard let subscription, let next = try nextMessage(of: queue) else { return .ok }
        subscription.delivery = .delivered(next.id)
        return next.message
    }

    // MARK: - Delivery

    /// Delivers the first message of a queue to its subscriber, or lets it wait for room.
    func deliver(_ queue: Queue, to subscription: ClientSubscription) throws {
        let client = subscription.client
        guard client.room.messages > 0 else {
            subscription.delivery = .waiting
            client.waiting.append(queue.number)
            return
        }
        subscription.delivery = .none
        guard let next = try nextMessage(of: queue) else { return }
        subscription.delivery = .delivered(next.id)
        client.room.messages -= 1
        report(next.message, of: queue.recipientID, to: client)
    }

    /// Delivers waiting messages, as far as there is room.
    func deliverWaiting(to client: Client) throws {
        while client.room.messages > 0, let number = client.waiting.popFirst() {
            // The subscription may have ended, or a second SUB may have delivered the message.
            guard let subscription = client.subscriptions[number], subscription.delivery == .waiting,
                let queue = try queues.readableQueue(number: number)
            else { continue }
            try deliver(queue, to: subscription)
        }
        if client.waiting.isEmpty { try deliverToService(client) }
    }

    /// Returns the first message of a queue for delivery.
    private func nextMessage(of queue: Queue) throws -> (id: EntityID, message: RelayMessage)? {
        guard let message = try messages.messages(of: queue).first else { return nil }
        let box = try messages.box(of: message)
        statistics.deliveredMessages += 1
        return (message.id, .msg(EncryptedMessage(messageID: message.id, encrypted: box)))
    }
}

/// The subscription of a connection to a queue. In memory only: it ends with the connection.
final class ClientSubscription {
    /// The state of delivery.
    enum Delivery: Equatable {
        case none
        /// The first message waits for room.
        case waiting
        /// This message was delivered, but not acknowledged yet: the next one waits.
        case delivered(EntityID)
    }

    unowned let client: Client
    let queue: Int64
    let recipientID: EntityID
    var delivery = Delivery.none

    init(to queue: Queue, of client: Client) {
        self.client = client
        self.queue = queue.number
        recipientID = queue.recipientID
    }

    var deliveredID: EntityID? {
        if case .delivered(let id) = delivery { id } else { nil }
    }

    /// The state for INFO.
    var state: QueueState.Subscription {
        delivery == .waiting ? .pending : .none
    }
}
