public import SystemIO

/// A notice for the operator of a running relay.
public enum RelayNotice: Hashable, Sendable {
    /// The disk is nearly full, and commands that need space are rejected. The values are the free bytes and the
    /// reserve.
    case isShortOfSpace(free: Int, reserve: Int)
    /// The disk has space again.
    case hasSpace(free: Int)
    /// A limit of the store is reached: commands that need more are rejected.
    case isFull(StoreLimit)
    /// The store is below the limit again.
    case hasRoom(StoreLimit)
    /// A summary of the incidents since the last one.
    case incidents(RelayIncidents)
    /// The clock has jumped: messages expire by the elapsed time.
    case doubtsClock
    /// The clock is right again, or has been stable for long enough.
    case trustsClock
    /// The activity record cannot be written. Reported once until it can be written again.
    case cannotRecord(SystemError)
    /// The list of blocked queues cannot be read: the former one stays in effect.
    case unreadableBlocked(RelayError)
    /// The disk was full during a turn: all connections were closed.
    case lostTurn
}
