/// A rate limit for each of many keys: `rate` uses in a period, and as many at once.
///
/// The table has up to 10,000 keys. Keys with their full rate are removed; if that does not suffice, all are.
package struct RateTable<Key: Hashable> {
    private let rate: Double
    private let period: Duration
    private var left: [Key: (amount: Double, time: ContinuousClock.Instant)] = [:]

    private static var limit: Int { 10_000 }

    /// Creates a table of `rate` uses per period.
    package init(_ rate: Int, per period: Duration = .seconds(60)) {
        self.rate = Double(rate)
        self.period = period
    }

    /// Counts a use of the key. Returns false if the rate is exceeded.
    package mutating func take(_ key: Key, at now: ContinuousClock.Instant) -> Bool {
        let amount = available(key, at: now)
        guard amount >= 1 else { return false }
        if left[key] == nil { makeRoom(at: now) }
        left[key] = (amount - 1, now)
        return true
    }

    /// Returns true if ``take(_:at:)`` would succeed.
    package func mayTake(_ key: Key, at now: ContinuousClock.Instant) -> Bool {
        available(key, at: now) >= 1
    }

    private func available(_ key: Key, at now: ContinuousClock.Instant) -> Double {
        guard let entry = left[key] else { return rate }
        return min(rate, entry.amount + rate * ((now - entry.time) / period))
    }

    private mutating func makeRoom(at now: ContinuousClock.Instant) {
        guard left.count >= RateTable.limit else { return }
        left = left.filter { now - $0.value.time < period }
        if left.count >= RateTable.limit { left = [:] }
    }
}
