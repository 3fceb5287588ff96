/// How often each of many keys may do something: `rate` times in a period, and as often at once.
///
/// The table holds 10,000 keys. Those that have saved everything again are forgotten; if that is not enough, all are.
package struct RateTable<Key: Hashable> {
    private let rate: Double
    private let period: Duration
    private var left: [Key: (amount: Double, time: ContinuousClock.Instant)] = [:]

    private static var limit: Int { 10_000 }

    package init(_ rate: Int, per period: Duration = .seconds(60)) {
        self.rate = Double(rate)
        self.period = period
    }

    /// True if the key may do it once more, which is counted; false if it has to wait.
    package mutating func take(_ key: Key, at now: ContinuousClock.Instant) -> Bool {
        let amount = available(key, at: now)
        guard amount >= 1 else { return false }
        if left[key] == nil { makeRoom(at: now) }
        left[key] = (amount - 1, now)
        return true
    }

    /// True if ``take(_:at:)`` would succeed.
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
