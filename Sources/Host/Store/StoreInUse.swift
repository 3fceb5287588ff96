public import ChatCore

/// Another process writes to the store.
public struct StoreInUse: Error {
    public let holder: StoreLock.Holder
    public let waited: Duration
    /// The command that needs the store, as it is typed.
    public let command: String
    public let obstacle: Obstacle

    /// The reason why that is in the way.
    public enum Obstacle: Sendable {
        /// It did not end in time.
        case writes
        /// It would carry out other commands, but not this one.
        case needsItsEnd
        /// It should carry out the command, and shows no sign of life.
        case isSilent
        /// It was asked to end.
        case stays
    }

    public init(holder: StoreLock.Holder, waited: Duration, command: String) {
        self.holder = holder
        self.waited = waited
        self.command = command
        obstacle = .writes
    }

    public init(_ process: HoldingProcess, _ obstacle: Obstacle, waited: Duration = .zero, command: String) {
        holder = process.holder
        self.waited = waited
        self.command = command
        self.obstacle = obstacle
    }
}
