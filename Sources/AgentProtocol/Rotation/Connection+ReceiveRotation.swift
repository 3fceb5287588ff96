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

    /// A message came through the new queue: the sender does not use the old one any more.
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
