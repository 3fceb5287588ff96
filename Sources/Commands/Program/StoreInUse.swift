import ChatCore

/// Another process writes to the store.
struct StoreInUse: Error {
    let holder: StoreLock.Holder
    let waited: Duration
    /// What was to be done, in words as they are typed.
    let command: String
    let obstacle: Obstacle

    /// Why that is in the way.
    enum Obstacle: Sendable {
        /// It did not end in time.
        case writes
        /// It would carry out other commands, but not this one.
        case needsItsEnd
        /// It should carry out the command, and shows no sign of life.
        case isSilent
        /// It was asked to end.
        case stays
    }

    init(holder: StoreLock.Holder, waited: Duration, command: String) {
        self.holder = holder
        self.waited = waited
        self.command = command
        obstacle = .writes
    }

    init(_ process: HoldingProcess, _ obstacle: Obstacle, waited: Duration = .zero, command: String) {
        holder = process.holder
        self.waited = waited
        self.command = command
        self.obstacle = obstacle
    }
}
