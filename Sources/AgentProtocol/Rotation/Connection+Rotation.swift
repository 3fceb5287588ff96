import ByteCoding
import CryptoCore
public import SMPProtocol

/// The side that replaces its queue (smp-agent.md 7.11).
extension Connection {
    /// Starts the rotation of the own queue.
    ///
    /// - Throws: ``Connection/Failure/notReady``.
    public mutating func switchQueue() throws(Connection.Failure) -> ConnectionStep {
        guard status == .ready, receiveQueue != nil, receiveRotation == nil else { throw .notReady }
        guard synchronization.allowsSending else { throw .outOfStep }
        receiveRotation = ReceiveRotation(stage: .creating, queue: nil)
        var step = ConnectionStep()
        step.tasks = [.createNextQueue]
        return step
    }

    /// Aborts the rotation of the own queue, which is possible until the sender has answered.
    ///
    /// - Throws: ``Connection/Failure/notReady``.
    public mutating func abortSwitch() throws(Connection.Failure) -> ConnectionStep {
        guard let rotation = receiveRotation, rotation.canAbort else { throw .notReady }
        return endRotation(discarding: rotation.queue)
    }

    /// Records that a relay created the new queue.
    public mutating func createdNext(_ queue: ReceiveQueue) -> ConnectionStep {
        var step = ConnectionStep()
        guard status != .deleted, case .creating? = receiveRotation?.stage else {
            // The rotation was aborted meanwhile.
            step.discarded = [queue]
            return step
        }
        receiveRotation = ReceiveRotation(stage: .created, queue: queue)
        step.changesQueues = true
        step.events = [.switching(.receiving, .started)]
        continueRotation(&step)
        return step
    }

    /// Records that the relay allows the sender into the new queue.
    public mutating func securedNext() -> ConnectionStep {
        var step = ConnectionStep()
        guard case .confirmed? = receiveRotation?.stage else { return step }
        receiveRotation?.stage = .secured
        step.events = [.switching(.receiving, .secured)]
        continueRotation(&step)
        return step
    }

    /// Records that the relay rejected the new queue or its sender permanently.
    public mutating func refusedNext() -> ConnectionStep {
        guard let rotation = receiveRotation, rotation.stage == .creating || rotation.stage == .confirmed else {
            return ConnectionStep()
        }
        return endRotation(discarding: rotation.queue)
    }

    /// Records that the old queue is empty.
    public mutating func drained() -> ConnectionStep {
        var step = ConnectionStep()
        guard let rotation = receiveRotation, rotation.stage == .draining else { return step }
        receiveRotation = nil
        step.discarded = rotation.queue.map { [$0] } ?? []
        step.changesQueues = true
        step.events = [.switching(.receiving, .completed)]
        return step
    }

    mutating func endRotation(discarding queue: ReceiveQueue?) -> ConnectionStep {
        var step = ConnectionStep()
        receiveRotation = nil
        step.discarded = queue.map { [$0] } ?? []
        step.changesQueues = true
        step.events = [.switching(.receiving, .aborted)]
        return step
    }

    // MARK: - Messages of the sender

    /// Reads QKEY: the sender's keys for the new queue.
    mutating func receiveKeys(_ keys: [QueueSenderKey], _ step: inout ConnectionStep) {
        guard let key = keys.first, let rotation = receiveRotation, let queue = rotation.queue,
            rotation.stage == .offered, queue.senderAddress.names(key.queue.location)
        else { return step.problem = .queue }
        guard MessageEnvelope.versions.contains(key.queue.version) else { return step.problem = .queue }
        guard let secret = try? queue.agreementKey.agree(with: key.queue.location.dhKey) else {
            return step.problem = .queue
        }
        receiveRotation?.queue?.sender = ReceiveQueue.Sender(version: key.queue.version, secret: secret)
        receiveRotation?.stage = .confirmed
        step.tasks.append(.secureNextQueue(key.key))
        step.events.append(.switching(.receiving, .confirmed))
    }

    /// Records a message in the new queue: the sender has stopped using the old queue.
    mutating func noteQueue(_ id: EntityID, _ step: inout ConnectionStep) {
        guard let rotation = receiveRotation, let next = rotation.queue, let old = receiveQueue,
            rotation.stage == .announced, next.recipientID == id
        else { return }
        receiveQueue = next
        receiveRotation = ReceiveRotation(stage: .draining, queue: old)
        step.changesQueues = true
    }

    /// Returns the own queue with an id: the one in use, or the one in rotation.
    public func receiveQueue(_ id: EntityID) -> ReceiveQueue? {
        if let receiveQueue, receiveQueue.recipientID == id { return receiveQueue }
        guard let other = receiveRotation?.queue, other.recipientID == id else { return nil }
        return other
    }
}

extension SenderQueueAddress {
    /// Returns true if the queue is at `location`. Hosts are not compared: a relay may have several.
    func names(_ location: QueueLocation) -> Bool {
        senderID == location.senderID && server.fingerprint == location.server.fingerprint
    }
}

/// The side whose messages move to another queue.
extension Connection {
    /// Reads QADD: the other side made a queue to replace its own. A second offer replaces the first.
    mutating func receiveOffer(
        _ offers: [ReplacementQueue], _ step: inout ConnectionStep, at time: Timestamp, random: any RandomSource
    ) {
        guard let offer = offers.first, let replaced = offer.replaced, let current = sendQueue, status == .ready,
            replaced.names(current), !offer.queue.location.isBehind(current)
        else { return step.problem = .queue }
        // Once the new queue is in use, there is no other replacement.
        if let sendRotation, sendRotation.stage == .used || sendRotation.stage == .testing {
            return step.problem = .queue
        }
        guard let address = offer.queue.agreed(with: MessageEnvelope.versions), offersToday.admit(at: time) else {
            return step.problem = .queue
        }
        guard let queue = try? SendQueue(address, random: random) else { return step.problem = .queue }
        sendRotation = SendRotation(stage: .added, queue: queue)
        step.events.append(.switching(.sending, .started))
    }

    /// Reads QUSE: the new queue accepts this side. All messages now go there, including queued ones, which preserves
    /// the order.
    mutating func receiveUse(_ uses: [QueueUse], _ step: inout ConnectionStep) {
        guard let use = uses.first, let rotation = sendRotation, let queue = rotation.queue, rotation.stage == .keySent,
            use.queue.names(queue)
        else { return step.problem = .queue }
        sendQueue = queue
        sendRotation = SendRotation(stage: .used, queue: nil)
        step.events.append(.switching(.sending, .secured))
    }

    // MARK: - Either side

    /// Creates the due messages of a rotation. They wait while the ratchets are out of sync.
    mutating func continueRotation(_ step: inout ConnectionStep) {
        guard status == .ready, synchronization.allowsSending else { return }
        do throws(Connection.Failure) {
            if let rotation = receiveRotation, let queue = rotation.queue {
                switch rotation.stage {
                case .created:
                    guard let current = receiveQueue else { return }
                    let address = QueueAddress(versions: MessageEnvelope.versions, location: queue.location)
                    let offer = ReplacementQueue(queue: address, replaced: current.senderAddress)
                    step.tasks.append(.send(try message(.queueAdd([offer]), kind: .queueAdd, notifies: false)))
                    receiveRotation?.stage = .offered
                case .secured:
                    let use = QueueUse(queue: queue.senderAddress, isPrimary: true)
                    step.tasks.append(.send(try message(.queueUse([use]), kind: .queueUse, notifies: false)))
                    receiveRotation?.stage = .announced
                case .creating, .offered, .confirmed, .announced, .draining: break
                }
            }
            switch sendRotation?.stage {
            case .added:
                guard let queue = sendRotation?.queue else { return }
                let key = QueueSenderKey(
                    queue: queue.answer, key: queue.authorizationKey.publicKey)
                step.tasks.append(.send(try message(.queueKey([key]), kind: .queueKey, notifies: false)))
                sendRotation?.stage = .keySent
            case .used:
                guard let address = sendQueue?.senderAddress else { return }
                step.tasks.append(.send(try message(.queueTest([address]), kind: .queueTest, notifies: false)))
                sendRotation?.stage = .testing
            case .keySent, .testing, nil: break
            }
        } catch {
            // A ratchet that cannot encrypt yet will do so later: the messages stay due.
        }
    }

    /// Records that a rotation message was dropped from the outbox. Optional messages are dropped; required ones become
    /// due again.
    public mutating func undelivered(_ kind: OutgoingMessage.Kind, isExpired: Bool) -> ConnectionStep {
        var step = ConnectionStep()
        switch (kind, receiveRotation?.stage, sendRotation?.stage) {
        case (.queueAdd, .offered, _): return endRotation(discarding: receiveRotation?.queue)
        case (.queueUse, .announced, _): receiveRotation?.stage = .secured
        case (.queueKey, _, .keySent):
            sendRotation = nil
            step.events = [.switching(.sending, .aborted)]
        case (.queueTest, _, .testing) where isExpired: sendRotation?.stage = .used
        case (.queueTest, _, .testing):
            // The new queue is the only one by now, and another test has no effect.
            sendRotation = nil
            step.events = [.switching(.sending, .completed)]
        default: break
        }
        return step
    }

    /// Records that the relay has a rotation message.
    mutating func deliveredRotation(_ kind: OutgoingMessage.Kind, _ step: inout ConnectionStep) {
        switch (kind, sendRotation?.stage) {
        case (.queueKey, .keySent): step.events.append(.switching(.sending, .confirmed))
        case (.queueTest, .testing):
            sendRotation = nil
            step.events.append(.switching(.sending, .completed))
        default: break
        }
    }
}

extension SendQueue {
    /// The name of the queue for both sides.
    var senderAddress: SenderQueueAddress { SenderQueueAddress(server: server, senderID: senderID) }

    /// The address in QKEY, with the own key instead of the recipient's.
    fileprivate var answer: AgreedQueueAddress {
        AgreedQueueAddress(
            version: version,
            location: QueueLocation(
                server: server, senderID: senderID, dhKey: agreementKey, mode: mode))
    }
}

extension SenderQueueAddress {
    /// Returns true if the queues are equal. Hosts are not compared: a relay may have several.
    fileprivate func names(_ queue: SendQueue) -> Bool {
        senderID == queue.senderID && server.fingerprint == queue.server.fingerprint
    }
}

extension QueueLocation {
    fileprivate func isBehind(_ queue: SendQueue) -> Bool {
        queue.senderAddress.names(self)
    }
}
