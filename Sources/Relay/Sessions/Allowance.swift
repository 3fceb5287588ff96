/// How much a client may send: a rate that it can keep up, and what it has saved while it sent less.
package struct Allowance {
    private let rate: Double
    private let most: Double
    /// Negative for a client that has sent more than it should.
    private var left: Double
    private var lastTime: ContinuousClock.Instant

    /// - Parameters:
    ///   - rate: How much a second.
    ///   - burst: For what time a client that sent nothing has saved.
    package init(rate: Int, burst: Duration, at time: ContinuousClock.Instant) {
        self.rate = Double(rate)
        most = Double(rate) * (burst / .seconds(1))
        left = most
        lastTime = time
    }

    /// Takes note of what a client has sent.
    ///
    /// - Returns: How long it has to wait now until nothing is owed; zero for a client that may go on.
    package mutating func take(_ amount: Int, at time: ContinuousClock.Instant) -> Duration {
        left = min(most, left + rate * ((time - lastTime) / .seconds(1))) - Double(amount)
        lastTime = time
        return left < 0 ? .seconds(-left / rate) : .zero
    }
}
