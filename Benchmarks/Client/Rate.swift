/// Prints how often something happens.
enum Rate {
    /// Calls `body` for about a second, five times over or as often as said, and prints each rate as a line of its own.
    static func measure(_ name: String, _ unit: String, rounds: Int = 5, _ body: () throws -> Void) rethrows {
        try body()
        for _ in 0..<rounds {
            let start = ContinuousClock.now
            var count = 0
            while ContinuousClock.now - start < .seconds(1) {
                try body()
                count += 1
            }
            print(name, count, since: start, unit)
        }
    }

    /// Prints the rate of `count` things since `start`.
    static func print(_ name: String, _ count: Int, since start: ContinuousClock.Instant, _ unit: String) {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        let rate = Double(count) / (Double(seconds) + Double(attoseconds) / 1e18)
        Swift.print("\(name)  \(Int(rate.rounded()))  \(unit)")
    }
}
