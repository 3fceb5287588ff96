/// Something that the operator of a relay should know while it runs.
public enum RelayNotice: Hashable, Sendable {
    /// Commands that need more space are refused, because the disk is nearly full.
    case isShortOfSpace
    /// The space suffices again.
    case hasSpace
    /// The clock has jumped: messages expire by the time that has passed.
    case doubtsClock
    /// The clock is right again, or has stood for long enough.
    case trustsClock
    /// The disk was full in the middle of a turn: all connections were closed.
    case lostTurn
}
