import ByteCoding
import SMPProtocol

// SEND: a message enters a queue.

extension RelayCore {
    /// SEND: stores a message, and delivers it at once if its recipient waits for one.
    func send(_ body: Bytes, _ flags: MessageFlags, _ request: ClientRequest) throws -> RelayMessage {
        let queue = try senderQueue(request)
        guard body.count <= SMP.maximumBody(version: request.session.version) else { throw ProtocolError.largeMessage }
        guard !queue.isOff else { throw ProtocolError.authorization }
        // The sender tries again later, as with a full queue: that is the one error that all clients do this for.
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
        // The sender has what the link led to.
        if queue.linkID != nil, queue.isSecuredForMessages { try queues.setLink(nil, of: queue) }

        let id = randomID(), time = now
        switch try messages.room(in: queue, quota: rules.quota) {
        case .free:
            try store(.message(time: time.seconds, flags, body: body), id, isQuota: false, queue)
        case .last:
            // The marker tells the recipient that there was more, and its removal tells the relay that the recipient has
            // seen everything: only then the queue opens again.
            try store(.quota(time: time.seconds), id, isQuota: true, queue)
            fallthrough
        case .none:
            statistics.refusedMessages += 1
            throw ProtocolError.quota
        }
        statistics.sentMessages += 1
        if flags.notifies, let notifier = queue.notifier { notify(notifier, id, time) }
        if let subscription = subscribers[queue.number], subscription.delivery == .none {
            try deliver(queue, to: subscription)
        }
        return .ok
    }

    /// The queue of a SEND: secured, and authorized by its sender, or not secured, and without authorization.
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

/// A walk through all queues that gives up what nobody came for. It goes in steps, so that no step holds up the clients.
package struct ExpiryWalk {
    fileprivate var next: Int64 = 1
    fileprivate var last: Int64

    /// How many queue numbers a step covers.
    fileprivate static let stride: Int64 = 2000
    /// How many free slots a step gives back to the file system.
    fileprivate static let slots: Int64 = 64
}

extension RelayCore {
    /// Begins a walk through the queues that there are now.
    package func beginExpiry() -> ExpiryWalk? {
        notifications.expire(before: now + (.zero - rules.notificationLifetime))
        var walk: ExpiryWalk?
        attempt { walk = ExpiryWalk(last: try messages.lastQueue()) }
        return walk
    }

    /// Takes a step of the walk; the turn has to be ended after it.
    ///
    /// - Returns: Whether there are further steps.
    package func expire(_ walk: inout ExpiryWalk) -> Bool {
        var hasMore = true
        let limit = expiryTime + (.zero - rules.messageLifetime)
        attempt {
            // The next walk does what this one cannot.
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
