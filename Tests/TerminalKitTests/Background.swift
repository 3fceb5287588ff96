import Synchronization
import SystemIO

/// Work on a thread of its own, whose result a test waits for.
final class Background<Value: Sendable, Failure: Error>: Sendable {
    private let result = Mutex<Result<Value, Failure>?>(nil)

    init(_ work: @escaping @Sendable () throws(Failure) -> Value) {
        WorkerThread.start { [self] in
            let outcome = Result(catching: work)
            result.withLock { $0 = outcome }
        }
    }

    /// Whether the work ended without an error before the deadline.
    func isFinished() -> Bool {
        if case .success = outcome() { true } else { false }
    }

    /// How the work ended; nil if it did not end before the deadline.
    func outcome() -> Result<Value, Failure>? {
        _ = PseudoTerminal.wait { result.withLock { $0 != nil } }
        return result.withLock { $0 }
    }
}
