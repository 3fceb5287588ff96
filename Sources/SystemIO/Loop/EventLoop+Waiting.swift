import Synchronization

extension EventLoop {
    /// Suspends until a descriptor is ready for `interest`, or the deadline has passed (false).
    ///
    /// The descriptor must not be watched otherwise.
    public func waitUntilReady(
        _ descriptor: Int32, for interest: Interest, deadline: ContinuousClock.Instant
    ) async -> Bool {
        await firstOf(deadline: deadline, late: false) { finish in
            self.post { [self] in
                let isWatched: Void? = try? watch(descriptor, for: interest) { _ in
                    self.unwatch(descriptor)
                    finish(true)
                }
                // A descriptor that cannot be watched would never become ready: the next call on it says why.
                if isWatched == nil { finish(true) }
            }
        } onLate: {
            self.unwatch(descriptor)
        }
    }

    /// Suspends until `start` has called its argument, or the deadline has passed: then the result is `late`.
    ///
    /// - Parameters:
    ///   - start: Begins the work; may call its argument from any thread, later calls are ignored.
    ///   - onLate: Ends the work on the loop's thread when the deadline came first.
    public func firstOf<Value: Sendable>(
        deadline: ContinuousClock.Instant, late: Value,
        start: @escaping @Sendable (_ finish: @escaping @Sendable (Value) -> Void) -> Void,
        onLate: @escaping @Sendable () -> Void = {}
    ) async -> Value {
        await withCheckedContinuation { continuation in
            let race = Race(continuation)
            post { [self] in
                after(deadline - .now) {
                    if race.finish(late) { onLate() }
                }
            }
            start { value in _ = race.finish(value) }
        }
    }
}

/// A continuation that the first of several contestants resumes.
private final class Race<Value: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Value, Never>?>

    init(_ continuation: CheckedContinuation<Value, Never>) {
        self.continuation = Mutex(continuation)
    }

    /// Resumes with `value` and returns true, unless somebody was first.
    func finish(_ value: Value) -> Bool {
        let continuation = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        continuation?.resume(returning: value)
        return continuation != nil
    }
}
