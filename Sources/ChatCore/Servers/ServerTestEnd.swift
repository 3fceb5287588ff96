/// The end of a test of a relay: the first result stops the deadline, closes the session and is reported. Later ones are ignored.
final class ServerTestEnd {
    private var report: ((ServerTestFailure?) -> Void)?
    private var stops: [() -> Void] = []

    init(report: @escaping (ServerTestFailure?) -> Void) {
        self.report = report
    }

    /// Adds an action to the end.
    func stop(_ action: @escaping () -> Void) {
        stops.append(action)
    }

    /// Ends the test, with nil if all is well.
    func callAsFunction(_ failure: ServerTestFailure?) {
        // The session reports its end too.
        let report = report, stops = stops
        self.report = nil
        self.stops = []
        for stop in stops { stop() }
        report?(failure)
    }
}
