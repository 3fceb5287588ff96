/// The passcode gate, which hides the screens. It reads no clock: every event has its time in milliseconds since 1970,
/// because the state outlives the program.
///
/// An attempt has two steps, so that killing the program in between does not save an attempt. ``beginTry(at:)`` counts
/// it as failed; after that is stored, the passcode may be compared. ``endTry(_:at:)`` takes the failure back if the
/// passcode was right.
public struct Gate: Hashable, Sendable {
    /// The kind of a typed passcode.
    public enum Answer: Hashable, Sendable {
        /// The passcode.
        case right
        /// The self-destruct passcode.
        case selfDestruct
        /// Neither of them.
        case wrong
    }

    /// An action for the caller.
    public enum Action: Hashable, Sendable {
        /// Store the record before any other action.
        case store(GateRecord)
        /// Hide all screens and ask for the passcode.
        case lock
        /// Show the screens.
        case unlock
        /// Replace the store by an empty one with this record, then show it.
        case destroy(GateRecord)
    }

    /// The number of attempts without a delay.
    static let freeTries: Int64 = 3
    /// The longest delay between two attempts, in milliseconds.
    static let longestWait: Int64 = 300_000

    /// The stored record.
    public private(set) var record: GateRecord
    /// True if the gate is closed.
    public private(set) var isLocked: Bool
    /// The time of the last key press.
    private var activeAt: Int64
    /// The time of the suspension of the program.
    private var suspendedAt: Int64?

    /// Creates the gate at the start of a session, closed if there is a passcode.
    public init(_ record: GateRecord, at now: Int64) {
        self.record = record
        isLocked = record.passcode != nil
        activeAt = now
    }

    /// Applies a record changed by another process. Without a passcode the gate is open.
    public mutating func update(_ record: GateRecord) -> [Action] {
        self.record = record
        return record.passcode == nil ? open() : []
    }

    // MARK: - Closing

    /// Closes the gate, if there is a passcode.
    public mutating func lock() -> [Action] {
        guard record.passcode != nil, !isLocked else { return [] }
        isLocked = true
        return [.lock]
    }

    /// Records that the program was suspended or lost its terminal. Without a grace time the screen has to be cleared
    /// before.
    public mutating func suspend(at now: Int64) -> [Action] {
        suspendedAt = now
        return record.grace == 0 ? lock() : []
    }

    /// Records that the program was resumed.
    public mutating func resume(at now: Int64) -> [Action] {
        guard let since = suspendedAt else { return [] }
        suspendedAt = nil
        // After a clock was set back, the elapsed time is unknown.
        let isShort = now >= since && now - since < record.grace
        activeAt = now
        return isShort ? [] : lock()
    }

    /// Records a key press.
    public mutating func noteActivity(at now: Int64) -> [Action] {
        let actions = tick(at: now)
        activeAt = now
        return actions
    }

    /// Checks the idle time.
    public mutating func tick(at now: Int64) -> [Action] {
        guard let idle = record.idle else { return [] }
        // After a clock was set back, the idle time starts again.
        if now < activeAt { activeAt = now }
        return now - activeAt >= idle ? lock() : []
    }

    /// The time of the next ``tick(at:)``; nil if none is needed.
    public var nextTick: Int64? {
        guard !isLocked, record.passcode != nil, let idle = record.idle else { return nil }
        return activeAt + idle
    }

    // MARK: - Opening

    /// Returns the delay before the next attempt in milliseconds: none for the first ``freeTries``, then a second, and
    /// twice as long each time, up to five minutes.
    public func wait(at now: Int64) -> Int64 {
        let beyond = record.failures - Gate.freeTries
        guard beyond >= 0 else { return 0 }
        let whole = beyond < 9 ? min(1000 << beyond, Gate.longestWait) : Gate.longestWait
        // Setting back a clock must not extend the delay.
        return now < record.failedAt ? whole : max(0, whole - (now - record.failedAt))
    }

    /// Records that the clock was set back before the last attempt: the delay starts again instead of lasting until the
    /// clock has caught up. Returns nil if the clock was not set back.
    public mutating func noteClock(at now: Int64) -> Action? {
        guard now < record.failedAt else { return nil }
        record.failedAt = max(now, 0)
        return .store(record)
    }

    /// Begins an attempt, or returns nil during the delay, see ``wait(at:)``. Store the record before comparing the
    /// passcode.
    public mutating func beginTry(at now: Int64) -> Action? {
        guard wait(at: now) == 0 else { return nil }
        record.failures += 1
        record.failedAt = now
        return .store(record)
    }

    /// Ends an attempt.
    public mutating func endTry(_ answer: Answer, at now: Int64) -> [Action] {
        switch answer {
        case .wrong: return []
        case .right:
            (record.failures, record.failedAt) = (0, 0)
            activeAt = now
            return [.store(record)] + open()
        case .selfDestruct:
            record = record.afterSelfDestruct
            activeAt = now
            isLocked = false
            return [.destroy(record)]
        }
    }

    private mutating func open() -> [Action] {
        guard isLocked else { return [] }
        isLocked = false
        return [.unlock]
    }
}
