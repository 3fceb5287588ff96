public import SystemIO

/// Something that the operator of a relay should know while it runs.
public enum RelayNotice: Hashable, Sendable {
    /// Commands that need more space are refused, because the disk is nearly full: the free bytes, and those that are kept free.
    case isShortOfSpace(free: Int, reserve: Int)
    /// The space suffices again.
    case hasSpace(free: Int)
    /// A limit of the store is reached: commands that need more are refused.
    case isFull(StoreLimit)
    /// There is room below the limit again.
    case hasRoom(StoreLimit)
    /// What clients have done since the last of these notices.
    case incidents(RelayIncidents)
    /// The clock has jumped: messages expire by the time that has passed.
    case doubtsClock
    /// The clock is right again, or has stood for long enough.
    case trustsClock
    /// The statistics and the clock of the relay cannot be written down. Noticed once, until they can be again.
    case cannotRecord(SystemError)
    /// The disk was full in the middle of a turn: all connections were closed.
    case lostTurn
}
