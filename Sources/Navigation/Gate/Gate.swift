/// Whether the screens are hidden behind the passcode. It reads no clock: every event comes with its time, in milliseconds
/// since 1970, since what it counts survives the end of the program.
///
/// A try has two halves, so that a program that is killed between them has tried: ``beginTry(at:)`` counts it as failed,
/// and only when that is stored may the passcode be compared; ``endTry(_:at:)`` takes it back if it was right.
public struct Gate: Hashable, Sendable {
    /// What a typed passcode was.
    public enum Answer: Hashable, Sendable {
        case right
        case selfDestruct
        case wrong
    }

    /// What the caller has to do.
    public enum Action: Hashable, Sendable {
        /// Store the record before anything else.
        case store(GateRecord)
        /// Hide everything, and ask.
        case lock
        /// Show everything.
        case unlock
        /// Put an empty store with this record in place of this one, and then show that.
        case destroy(GateRecord)
    }

    /// Tries that cost nothing.
    static let freeTries: Int64 = 3
    /// The longest wait between two tries, in milliseconds.
    static let longestWait: Int64 = 300_000

    public private(set) var record: GateRecord
    public private(set) var isLocked: Bool
    /// When something was typed last.
    private var activeAt: Int64
    /// Since when the program has been suspended.
    private var suspendedAt: Int64?

    /// The gate at the start of a session: closed if there is a passcode.
    public init(_ record: GateRecord, at now: Int64) {
        self.record = record
        isLocked = record.passcode != nil
        activeAt = now
    }

    /// Takes a record that was changed by somebody else. Without a passcode the gate is open.
    public mutating func update(_ record: GateRecord) -> [Action] {
        self.record = record
        return record.passcode == nil ? open() : []
    }

    // MARK: - What closes it

    /// Closes the gate now, if there is one.
    public mutating func lock() -> [Action] {
        guard record.passcode != nil, !isLocked else { return [] }
        isLocked = true
        return [.lock]
    }

    /// The program is stopped, or its terminal is gone from sight. What is on the screen has to go before that happens if
    /// there is no grace.
    public mutating func suspend(at now: Int64) -> [Action] {
        suspendedAt = now
        return record.grace == 0 ? lock() : []
    }

    /// The program goes on.
    public mutating func resume(at now: Int64) -> [Action] {
        guard let since = suspendedAt else { return [] }
        suspendedAt = nil
        // A clock that was put back says nothing about how long it was.
        let isShort = now >= since && now - since < record.grace
        activeAt = now
        return isShort ? [] : lock()
    }

    /// A key was pressed.
    public mutating func noteActivity(at now: Int64) -> [Action] {
        let actions = tick(at: now)
        activeAt = now
        return actions
    }

    /// Time has passed.
    public mutating func tick(at now: Int64) -> [Action] {
        guard let idle = record.idle else { return [] }
        // A clock that was put back begins anew.
        if now < activeAt { activeAt = now }
        return now - activeAt >= idle ? lock() : []
    }

    /// When ``tick(at:)`` is to be called; nil if it need not.
    public var nextTick: Int64? {
        guard !isLocked, record.passcode != nil, let idle = record.idle else { return nil }
        return activeAt + idle
    }

    // MARK: - What opens it

    /// How long nobody may try, in milliseconds: nothing for the first ``freeTries``, then a second, and each time twice as
    /// long, up to five minutes.
    public func wait(at now: Int64) -> Int64 {
        let beyond = record.failures - Gate.freeTries
        guard beyond >= 0 else { return 0 }
        let whole = beyond < 9 ? min(1000 << beyond, Gate.longestWait) : Gate.longestWait
        // A clock that was put back must not make the wait longer than it is.
        return now < record.failedAt ? whole : max(0, whole - (now - record.failedAt))
    }

    /// Notes that the clock was put back behind the last try: the wait begins anew, and must not last until the clock is
    /// there again. Nil if it was not.
    public mutating func noteClock(at now: Int64) -> Action? {
        guard now < record.failedAt else { return nil }
        record.failedAt = max(now, 0)
        return .store(record)
    }

    /// Begins a try. Nil if it is too early, see ``wait(at:)``. The record has to be stored before the passcode is compared.
    public mutating func beginTry(at now: Int64) -> Action? {
        guard wait(at: now) == 0 else { return nil }
        record.failures += 1
        record.failedAt = now
        return .store(record)
    }

    /// Ends a try that was begun.
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
