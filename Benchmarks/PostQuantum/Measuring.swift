/// Prints the median time of `body` in microseconds.
///
/// - Parameter prepare: Makes what `body` uses, outside of the measured time.
func measure<Value>(
    _ name: String, rounds: Int = 201, prepare: () throws -> Value, _ body: (Value) throws -> Void
) throws {
    var times: [Duration] = []
    for _ in 0..<rounds {
        let value = try prepare()
        let start = ContinuousClock.now
        try body(value)
        times.append(ContinuousClock.now - start)
    }
    let median = times.sorted()[rounds / 2].components
    print("\(name)\t\(median.seconds * 1_000_000 + median.attoseconds / 1_000_000_000_000)\tmicroseconds")
}
