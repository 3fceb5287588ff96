package import ByteCoding

/// The time by which waiting messages become old: the wall clock, unless that has jumped.
///
/// A clock that is weeks ahead would make all messages expire at once. So the wall clock is compared with the time that has passed
/// (``ContinuousClock``, which nobody sets) since it was last trusted. If both differ by more than the tolerance, a day at most, the
/// wall clock is doubted, and the time goes on from the last trusted one. It is trusted again when it is back, or has stood for a
/// third of the lifetime of messages.
///
/// The trusted time outlives the process (``state``). The time while no process ran is not known, so that a relay that was off for
/// long doubts its clock, too: messages wait longer then, and none is lost.
package final class ExpiryClock {
    /// What the next process has to know.
    package struct State: Hashable, Sendable {
        /// The trusted time.
        package var time: Timestamp
        /// For how long the wall clock has been doubted; nil while it is trusted.
        package var doubt: Duration?

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
        /// How far the wall clock is ahead of the trusted time, in milliseconds.
        var difference: Int64?
        var duration: Duration
    }

    /// - Parameters:
    ///   - lifetime: How long messages wait.
    ///   - earlier: The state that an earlier process has left; nil trusts the wall clock.
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

    /// How long messages wait from now on.
    package func setLifetime(_ lifetime: Duration) {
        (tolerance, confirmation) = ExpiryClock.bounds(lifetime)
    }

    private static func bounds(_ lifetime: Duration) -> (tolerance: Int64, confirmation: Duration) {
        (min(86_400_000, lifetime.components.seconds * 50), lifetime / 3)
    }

    /// Compares the clocks, and returns the trusted time.
    package func now() -> Timestamp {
        // Whole milliseconds: what is less would be lost each time.
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

    /// A clock that jumps again is doubted from the beginning.
    private func isSame(_ former: Int64?, _ difference: Int64) -> Bool {
        guard let former else { return true }
        let change = difference.subtractingReportingOverflow(former)
        return !change.overflow && change.partialValue.magnitude <= UInt64(tolerance)
    }

    package var isDoubted: Bool { doubt != nil }

    package var state: State { State(time: time, doubt: doubt?.duration) }
}
