import SystemIO
import Testing

extension EventLoop {
    /// Handles events until the condition holds, for at most 30 seconds.
    func run(_ what: Comment, until isDone: () -> Bool) throws {
        var isLate = false
        let timer = after(.seconds(30)) { isLate = true }
        run { isLate || isDone() }
        timer.cancel()
        try #require(isDone(), what)
    }
}
