import ByteCoding
import CryptoCore
public import SMPProtocol

/// The side that replaces its queue.
extension Connection {
    /// Begins to replace the own queue.
    public mutating func switchQueue() throws(Connection.Failure) -> ConnectionStep {
        guard status == .ready, receiveQueue != nil, receiveRotation == nil else { throw .notReady }
        guard synchronization.allowsSending else { throw .outOfStep }
        receiveRotation = ReceiveRotation(stage: .creating, queue: nil)
        var step = ConnectionStep()
        step.tasks = [.createNextQueue]
        return step
    }

    /// Gives up the replacement of the own queue, which is possible until the sender has answered.
    public mutating func abortSwitch() throws(Connection.Failure) -> ConnectionStep {
        guard let rotation = receiveRotation, rotation.canAbort else { throw .notReady }
        return endRotation(discarding: rotation.queue)
    }

    /// A relay made the new queue.
    public mutating func createdNext(_ queue: ReceiveQueue) -> ConnectionStep {
        var step = ConnectionStep()
        guard status != .deleted, case .creating? = receiveRotation?.stage else {
            // It was given up meanwhile.
            step.discarded = [queue]
            return step
        }
        receiveRotation = ReceiveRotation(stage: .created, queue: queue)
        step.changesQueues = true
        step.events = [.switching(.receiving, .started)]
        continueRotation(&step)
        return step
    }

    /// The relay lets the sender into the new queue.
    public mutating func securedNext() -> ConnectionStep {
        var step = ConnectionStep()
        guard case .confirmed? = receiveRotation?.stage else { return step }
        receiveRotation?.stage = .secured
        step.events = [.switching(.receiving, .secured)]
        continueRotation(&step)
        return step
    }

    /// The relay will never make the new queue, or let anybody into it.
    public mutating func refusedNext() -> ConnectionStep {
        guard let rotation = receiveRotation, rotation.stage == .creating || rotation.stage == .confirmed else {
            return ConnectionStep()
        }
        return endRotation(discarding: rotation.queue)
    }

    /// Nothing is left in the old queue.
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

    // MARK: - What the sender says

    /// QKEY: the sender's keys for the new queue.
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

    /// Records a message in the new queue: the sender has stopped using the old one.
    mutating func noteQueue(_ id: EntityID, _ step: inout ConnectionStep) {
        guard let rotation = receiveRotation, let next = rotation.queue, let old = receiveQueue,
            rotation.stage == .announced, next.recipientID == id
        else { return }
        receiveQueue = next
        receiveRotation = ReceiveRotation(stage: .draining, queue: old)
        step.changesQueues = true
    }

    /// The own queue with an id: the one in use, or the one that it replaces or is replaced by.
    public func receiveQueue(_ id: EntityID) -> ReceiveQueue? {
        if let receiveQueue, receiveQueue.recipientID == id { return receiveQueue }
        guard let other = receiveRotation?.queue, other.recipientID == id else { return nil }
        return other
    }
}

extension SenderQueueAddress {
    /// Whether it is the queue at `location`. Hosts are not compared: a relay may be known by several.
    func names(_ location: QueueLocation) -> Bool {
        senderID == location.senderID && server.fingerprint == location.server.fingerprint
    }
}

/// The side whose messages go to another queue from now on.
extension Connection {
    /// QADD: the other side made a queue to replace its own. A second offer takes the place of the first.
    mutating func receiveOffer(
        _ offers: [ReplacementQueue], _ step: inout ConnectionStep, at time: Timestamp, random: any RandomSource
    ) {
        guard let offer = offers.first, let replaced = offer.replaced, let current = sendQueue, status == .ready,
            replaced.names(current), !offer.queue.location.isBehind(current)
        else { return step.problem = .queue }
        // Once the new queue is in use there is no other to replace by.
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

    /// QUSE: the new queue lets this side in. From now on everything goes there, what waits included: only so does it stay
    /// in order.
    mutating func receiveUse(_ uses: [QueueUse], _ step: inout ConnectionStep) {
        guard let use = uses.first, let rotation = sendRotation, let queue = rotation.queue, rotation.stage == .keySent,
            use.queue.names(queue)
        else { return step.problem = .queue }
        sendQueue = queue
        sendRotation = SendRotation(stage: .used, queue: nil)
        step.events.append(.switching(.sending, .secured))
    }

    // MARK: - Either side

    /// Makes the messages of a rotation that are due. They wait while the ratchets are out of step.
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
                    queue: queue.answer, key: .ed25519(queue.authorizationKey.publicKey))
                step.tasks.append(.send(try message(.queueKey([key]), kind: .queueKey, notifies: false)))
                sendRotation?.stage = .keySent
            case .used:
                guard let address = sendQueue?.senderAddress else { return }
                step.tasks.append(.send(try message(.queueTest([address]), kind: .queueTest, notifies: false)))
                sendRotation?.stage = .testing
            case .keySent, .testing, nil: break
            }
        } catch {
            // A ratchet that cannot encrypt yet will: what is due stays due.
        }
    }

    /// A message of a rotation was given up: nothing waits for it any more. What the other side does not know yet did not
    /// happen; what it has to know is due again.
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
            // The new queue is the only one by now, and no test makes it better.
            sendRotation = nil
            step.events = [.switching(.sending, .completed)]
        default: break
        }
        return step
    }

    /// The relay has a message of a rotation.
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
    /// How the two sides speak of the queue.
    var senderAddress: SenderQueueAddress { SenderQueueAddress(server: server, senderID: senderID) }

    /// The address in QKEY, with the own key in place of the recipient's.
    fileprivate var answer: AgreedQueueAddress {
        AgreedQueueAddress(
            version: version,
            location: QueueLocation(
                server: server, senderID: senderID, dhKey: agreementKey.publicKey, mode: mode))
    }
}

extension SenderQueueAddress {
    /// Whether it is that queue. Hosts are not compared: a relay may be known by several.
    fileprivate func names(_ queue: SendQueue) -> Bool {
        senderID == queue.senderID && server.fingerprint == queue.server.fingerprint
    }
}

extension QueueLocation {
    fileprivate func isBehind(_ queue: SendQueue) -> Bool {
        queue.senderAddress.names(self)
    }
}
