package import ByteCoding

/// The clock by which messages expire: the wall clock, unless it jumps.
///
/// A wall clock that is weeks ahead would make all messages expire at once. So it is compared with the elapsed time
/// (``ContinuousClock``, which cannot be set) since it was last trusted. If the two differ by more than the tolerance,
/// at most a day, the wall clock is doubted, and the time continues from the last trusted one. The wall clock is
/// trusted again when it is back, or has been stable for a third of the lifetime of messages.
///
/// The trusted time outlives the process (``state``). The time without a process is unknown, so a relay that was off
/// for long doubts its clock too: messages then live longer, and none is lost.
package final class ExpiryClock {
    /// The state for the next process.
    package struct State: Hashable, Sendable {
        /// The trusted time.
        package var time: Timestamp
        /// The duration of the doubt so far; nil while the wall clock is trusted.
        package var doubt: Duration?

        /// Creates a state.
        package init(time: Timestamp, doubt: Duration? = nil) {
            self.time = time
            self.doubt = doubt
        }
    }

    private let wallClock: () -> Timestamp
    private let steadyClock: () -> ContinuousClock.Instant
    private var tolerance: Int64
    private var confirmation: Duration
    private var time: Timestamp
    private var lastReading: ContinuousClock.Instant
    private var doubt: Doubt?

    private struct Doubt {
        /// The difference of the wall clock to the trusted time, in milliseconds.
        var difference: Int64?
        var duration: Duration
    }

    /// Creates a clock.
    ///
    /// - Parameters:
    ///   - lifetime: The lifetime of messages.
    ///   - earlier: The state of an earlier process; nil trusts the wall clock.
    package init(
        lifetime: Duration, earlier: State?, wallClock: @escaping () -> Timestamp,
        steadyClock: @escaping () -> ContinuousClock.Instant = { .now }
    ) {
        self.wallClock = wallClock
        self.steadyClock = steadyClock
        (tolerance, confirmation) = ExpiryClock.bounds(lifetime)
        time = earlier?.time ?? wallClock()
        doubt = earlier?.doubt.map { Doubt(difference: nil, duration: $0) }
        lastReading = steadyClock()
    }

    /// Sets the lifetime of messages.
    package func setLifetime(_ lifetime: Duration) {
        (tolerance, confirmation) = ExpiryClock.bounds(lifetime)
    }

    private static func bounds(_ lifetime: Duration) -> (tolerance: Int64, confirmation: Duration) {
        (min(86_400_000, lifetime.components.seconds * 50), lifetime / 3)
    }

    /// Compares the clocks and returns the trusted time.
    package func now() -> Timestamp {
        // Whole milliseconds: a remainder would be lost each time.
        let passed = Duration.milliseconds(Int64(max(.zero, steadyClock() - lastReading) / .milliseconds(1)))
        let wall = wallClock()
        lastReading += passed
        time = time + passed
        let difference = wall.milliseconds.subtractingReportingOverflow(time.milliseconds)
        guard difference.overflow || difference.partialValue.magnitude > UInt64(tolerance) else {
            return trust(wall)
        }
        var duration = passed
        if let doubt, isSame(doubt.difference, difference.partialValue) { duration += doubt.duration }
        doubt = Doubt(difference: difference.partialValue, duration: duration)
        return duration >= confirmation ? trust(wall) : time
    }

    private func trust(_ wall: Timestamp) -> Timestamp {
        doubt = nil
        time = wall
        return wall
    }

    /// Returns true for the same jump. After another jump the doubt starts again.
    private func isSame(_ former: Int64?, _ difference: Int64) -> Bool {
        guard let former else { return true }
        let change = difference.subtractingReportingOverflow(former)
        return !change.overflow && change.partialValue.magnitude <= UInt64(tolerance)
    }

    /// True if the wall clock is doubted.
    package var isDoubted: Bool { doubt != nil }

    /// The state for the next process.
    package var state: State { State(time: time, doubt: doubt?.duration) }
}
