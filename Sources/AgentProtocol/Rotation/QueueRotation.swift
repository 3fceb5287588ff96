import ByteCoding

/// The replacement of an own queue, as far as it has come.
///
/// | stage       | what is going on                                     | what ends it               |
/// |-------------|------------------------------------------------------|----------------------------|
/// | `creating`  | NEW                                                  | the relay made the queue   |
/// | `created`   | QADD is due, which waits for a ratchet that works    | it is in the outbox        |
/// | `offered`   | the sender has to answer                             | QKEY came                  |
/// | `confirmed` | KEY                                                  | the relay let the key in   |
/// | `secured`   | QUSE is due                                          | it is in the outbox        |
/// | `announced` | the sender may use the new queue, both are received  | a message through the new  |
/// | `draining`  | the new queue is in use, the old one is read empty   | nothing waits in it        |
///
/// Source: agent v7, as its reference implementation does it.
public struct ReceiveRotation: Sendable {
    public enum Stage: Int64, Sendable {
        case creating = 1
        case created, offered, confirmed, secured, announced, draining
    }

    public internal(set) var stage: Stage
    /// The new queue; the old one while it is read empty.
    public internal(set) var queue: ReceiveQueue?

    public init(stage: Stage, queue: ReceiveQueue?) {
        self.stage = stage
        self.queue = queue
    }

    /// Whether the other side cannot have gone over to the new queue yet.
    public var canAbort: Bool {
        switch stage {
        case .creating, .created, .offered: true
        case .confirmed, .secured, .announced, .draining: false
        }
    }
}

/// How many new queues the other side has offered on one day.
///
/// Each offer is answered, and may lead to another host. An honest contact makes one now and then.
public struct RotationOffers: Hashable, Sendable {
    /// Offers beyond this number are ignored until the next day.
    public static let mostPerDay = 16

    /// Days since 1970.
    public private(set) var day: Int64
    public private(set) var count: Int

    public init(day: Int64 = 0, count: Int = 0) {
        self.day = day
        self.count = count
    }

    /// Counts an offer. Returns false if there were too many.
    mutating func admit(at time: Timestamp) -> Bool {
        let today = time.seconds / 86_400
        if day != today { self = RotationOffers(day: today) }
        guard count < RotationOffers.mostPerDay else { return false }
        count += 1
        return true
    }
}

/// The replacement of the other side's queue, as far as it has come.
public struct SendRotation: Sendable {
    public enum Stage: Int64, Sendable {
        /// QKEY is due.
        case added = 1
        /// The recipient has to let this side in.
        case keySent
        /// QTEST is due; the new queue is in use.
        case used
        /// QTEST is in the outbox.
        case testing
    }

    public internal(set) var stage: Stage
    /// The new queue until it is in use.
    public internal(set) var queue: SendQueue?

    public init(stage: Stage, queue: SendQueue?) {
        self.stage = stage
        self.queue = queue
    }
}

/// Which of the two queues of a connection is replaced by another.
public enum QueueDirection: UInt8, CaseIterable, Hashable, Sendable {
    /// The own one, which this side replaces.
    case receiving = 1
    /// The one of the other side, which the other side replaces.
    case sending
}

/// How far the replacement of a queue has come. The names are those of the reference implementation, but for the last.
public enum SwitchPhase: UInt8, CaseIterable, Hashable, Sendable {
    /// The recipient made a queue and tells its sender.
    case started = 1
    /// The sender's keys for the new queue are known to both.
    case confirmed
    /// The new queue lets its sender in.
    case secured
    /// Only the new queue is in use.
    case completed
    /// The recipient gave it up, or a relay refused: the old queue stays.
    case aborted
}
