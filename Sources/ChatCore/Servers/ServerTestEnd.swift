/// The end of a test of a relay: the first result stops the deadline, closes the session and is reported. Later ones are ignored.
final class ServerTestEnd<Result> {
    private var report: ((Result) -> Void)?
    private var stops: [() -> Void] = []

    init(report: @escaping (Result) -> Void) {
        self.report = report
    }

    /// Adds an action to the end.
    func stop(_ action: @escaping () -> Void) {
        stops.append(action)
    }

    /// Ends the test.
    func callAsFunction(_ result: Result) {
        // The session reports its end too.
        let report = report, stops = stops
        self.report = nil
        self.stops = []
        for stop in stops { stop() }
        report?(result)
    }
}
