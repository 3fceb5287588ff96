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
