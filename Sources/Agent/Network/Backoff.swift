/// Growing pauses between attempts.
struct Backoff {
    private let first: Duration
    private let longest: Duration
    private var attempts = 0

    /// For a relay that cannot be reached.
    static let network = Backoff(first: .seconds(2), longest: .seconds(120))
    /// For a queue that is full: its recipient tells when it is empty, so asking is only the second way to learn it.
    static let full = Backoff(first: .seconds(300), longest: .seconds(6 * 3600))

    /// For a queue whose recipient has said that it is empty.
    static let invited = Backoff(first: .milliseconds(200), longest: .seconds(6 * 3600))

    private init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// The pause before the next attempt; each is half as long again as the one before.
    mutating func next() -> Duration {
        var pause = first
        for _ in 0..<attempts where pause < longest { pause = pause * 3 / 2 }
        attempts += 1
        return min(pause, longest)
    }
}
