import Synchronization

/// A continuation that is resumed exactly once, whoever comes first: a timer, an event or a cancellation.
final class Wake: Sendable {
    private enum State {
        case idle
        case armed(CheckedContinuation<Void, Never>)
        case fired
    }

    private let state = Mutex(State.idle)

    /// Takes the continuation to resume; if the wake fired already, resumes it at once.
    func arm(_ continuation: CheckedContinuation<Void, Never>) {
        let isLate = state.withLock { state in
            if case .fired = state { return true }
            state = .armed(continuation)
            return false
        }
        if isLate { continuation.resume() }
    }

    /// Resumes the continuation; every call but the first does nothing.
    func fire() {
        let continuation: CheckedContinuation<Void, Never>? = state.withLock { state in
            defer { state = .fired }
            return if case .armed(let continuation) = state { continuation } else { nil }
        }
        continuation?.resume()
    }
}
