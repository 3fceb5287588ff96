import ByteCoding

/// The state of replacing an own queue (smp-agent.md 7.11).
///
/// | stage       | activity                                             | ends with                  |
/// |-------------|------------------------------------------------------|----------------------------|
/// | `creating`  | NEW                                                  | the relay made the queue   |
/// | `created`   | QADD is due, waiting for a working ratchet           | QADD is in the outbox      |
/// | `offered`   | the sender has to answer                             | QKEY arrived               |
/// | `confirmed` | KEY                                                  | the relay took the key     |
/// | `secured`   | QUSE is due                                          | QUSE is in the outbox      |
/// | `announced` | the sender may use the new queue, both are received  | a message in the new queue |
/// | `draining`  | the new queue is in use, the old one is being read   | the old queue is empty     |
public struct ReceiveRotation: Sendable {
    /// The stage of the rotation.
    public enum Stage: Int64, Sendable {
        /// The relay is creating the new queue.
        case creating = 1
        /// QADD is due.
        case created
        /// The sender has to answer the offer.
        case offered
        /// The relay is adding the sender's key.
        case confirmed
        /// QUSE is due.
        case secured
        /// The sender may use the new queue; messages arrive in both.
        case announced
        /// The new queue is in use, and the old one is being read.
        case draining
    }

    /// The stage.
    public internal(set) var stage: Stage
    /// The new queue; in the last stage, the old one.
    public internal(set) var queue: ReceiveQueue?

    /// Creates a receive rotation from its parts.
    public init(stage: Stage, queue: ReceiveQueue?) {
        self.stage = stage
        self.queue = queue
    }

    /// True if the other side cannot be using the new queue yet.
    public var canAbort: Bool {
        switch stage {
        case .creating, .created, .offered: true
        case .confirmed, .secured, .announced, .draining: false
        }
    }
}

/// The number of new queues that the other side offered on one day.
///
/// Each offer is answered and may lead to another host. An honest contact rarely makes one.
public struct RotationOffers: Hashable, Sendable {
    /// The daily limit; further offers are ignored until the next day.
    public static let mostPerDay = 16

    /// The day, counted from 1970-01-01.
    public private(set) var day: Int64
    /// The offers on that day.
    public private(set) var count: Int

    /// Creates a rotation offers from its parts.
    public init(day: Int64 = 0, count: Int = 0) {
        self.day = day
        self.count = count
    }

    /// Counts an offer. Returns false above the daily limit.
    mutating func admit(at time: Timestamp) -> Bool {
        let today = time.seconds / 86_400
        if day != today { self = RotationOffers(day: today) }
        guard count < RotationOffers.mostPerDay else { return false }
        count += 1
        return true
    }
}

/// The state of replacing the other side's queue (smp-agent.md 7.11).
public struct SendRotation: Sendable {
    /// The stage of the rotation.
    public enum Stage: Int64, Sendable {
        /// QKEY is due.
        case added = 1
        /// The recipient has to allow this side into the queue.
        case keySent
        /// QTEST is due; the new queue is in use.
        case used
        /// QTEST is in the outbox.
        case testing
    }

    /// The stage.
    public internal(set) var stage: Stage
    /// The new queue, until it is in use.
    public internal(set) var queue: SendQueue?

    /// Creates a send rotation from its parts.
    public init(stage: Stage, queue: SendQueue?) {
        self.stage = stage
        self.queue = queue
    }
}

/// The direction of a queue that is being replaced.
public enum QueueDirection: UInt8, CaseIterable, Hashable, Sendable {
    /// The own queue, replaced by this side.
    case receiving = 1
    /// The other side's queue, replaced by the other side.
    case sending
}

/// The phase of a queue rotation, with the names of the reference implementation except the last.
public enum SwitchPhase: UInt8, CaseIterable, Hashable, Sendable {
    /// The recipient created a queue and offers it to the sender.
    case started = 1
    /// Both sides have the sender's keys for the new queue.
    case confirmed
    /// The new queue accepts its sender.
    case secured
    /// Only the new queue is in use.
    case completed
    /// The recipient aborted the rotation, or a relay rejected it; the old queue stays.
    case aborted
}
