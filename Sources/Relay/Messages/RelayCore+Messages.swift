import ByteCoding
import SMPProtocol

// SEND: storing messages (smp-agent.md 12.2, 12.3).

extension RelayCore {
    /// Handles SEND: stores a message, and delivers it at once to a waiting subscriber.
    func send(_ body: Bytes, _ flags: MessageFlags, _ request: ClientRequest) throws -> RelayMessage {
        let queue = try senderQueue(request)
        try refuseBlocked(queue)
        guard body.count <= SMP.maximumBody(version: request.session.version) else { throw ProtocolError.largeMessage }
        guard !queue.isOff else { throw ProtocolError.authorization }
        // The sender retries later, as with a full queue: all clients retry after this error only.
        let purpose: StorageReserve.Purpose = messages.hasFreeSlot ? .rewriting : .growth
        do {
            guard messages.count < rules.messageLimit else {
                statistics.refusedForLimit += 1
                throw ProtocolError.quota
            }
            if purpose == .growth { try requireRoom(Cost.message, otherwise: .quota) }
            try requireSpace(Cost.message, for: purpose, otherwise: .quota)
        } catch {
            statistics.refusedMessages += 1
            throw error
        }
        // The sender has read the link by now.
        if queue.linkID != nil, queue.isSecuredForMessages { try queues.setLink(nil, of: queue) }

        let id = randomID(), time = now
        switch try messages.room(in: queue, quota: rules.quota) {
        case .free:
            try store(.message(time: time.seconds, flags, body: body), id, isQuota: false, queue)
        case .last:
            // The marker shows the recipient that there were more messages. Its removal shows the relay that the
            // recipient has received all, and only then the queue opens again.
            try store(.quota(time: time.seconds), id, isQuota: true, queue)
            fallthrough
        case .none:
            statistics.refusedMessages += 1
            throw ProtocolError.quota
        }
        statistics.sentMessages += 1
        if flags.notifies, let notifier = queue.notifier { notify(notifier, id, time) }
        if let subscription = subscribers[queue.number] {
            if subscription.delivery == .none { try deliver(queue, to: subscription) }
        } else if let subscription = serviceSubscription(to: queue) {
            try deliver(queue, to: subscription)
        }
        return .ok
    }

    /// Returns the queue of a SEND: secured and authorized by its sender, or neither.
    private func senderQueue(_ request: ClientRequest) throws -> Queue {
        let queue = try queues.queue(senderID: request.entityID)
        let isUnsecured = queue != nil && queue?.senderKey == nil
        let isAllowed =
            isUnsecured && !request.transmission.authorization.isPresent
            || isAuthorized(request, by: queue?.senderKey.map { [$0] } ?? [])
        guard isAllowed, let queue else { throw ProtocolError.authorization }
        try queues.touch(queue, today: today)
        return queue
    }

    private func store(
        _ body: ReceivedBody, _ id: EntityID, isQuota: Bool, _ queue: Queue
    ) throws {
        // Bodies that SEND accepts fit into the box.
        guard let sealed = try? body.seal(messageID: id, secret: queue.secret) else { throw ProtocolError.largeMessage }
        try messages.append(id: id, time: max(now, expiryTime), isQuota: isQuota, box: sealed.encrypted, to: queue)
    }
}

/// The expiry of messages in all queues, in steps that do not delay clients.
package struct ExpiryWalk {
    fileprivate var next: Int64 = 1
    fileprivate var last: Int64

    /// The number of queue numbers in a step.
    fileprivate static let stride: Int64 = 2000
    /// The number of free slots released in a step.
    fileprivate static let slots: Int64 = 64
}

extension RelayCore {
    /// Begins the expiry of the current queues, or returns nil without queues.
    package func beginExpiry() -> ExpiryWalk? {
        notifications.expire(before: now + (.zero - rules.notificationLifetime))
        var walk: ExpiryWalk?
        attempt { walk = ExpiryWalk(last: try messages.lastQueue()) }
        return walk
    }

    /// Performs a step of the expiry. The turn has to be ended afterwards.
    ///
    /// - Returns: True if there are further steps.
    package func expire(_ walk: inout ExpiryWalk) -> Bool {
        var hasMore = true
        let limit = expiryTime + (.zero - rules.messageLifetime)
        attempt {
            // The next expiry retries a failed step.
            guard try store.hasSpace(Cost.message, for: .removal) else { return hasMore = false }
            guard walk.next <= walk.last else {
                hasMore = try messages.giveUpFreeSlots(ExpiryWalk.slots)
                return
            }
            let range = walk.next...(walk.next + ExpiryWalk.stride - 1)
            walk.next = range.upperBound + 1
            for number in try messages.queues(in: range, withMessagesBefore: limit) {
                guard let queue = try queues.readableQueue(number: number) else { continue }
                while let first = try messages.messages(of: queue).first, first.time < limit {
                    try messages.removeFirst(of: queue)
                    if !first.isQuota { statistics.expiredMessages += 1 }
                }
            }
        }
        return hasMore
    }
}
