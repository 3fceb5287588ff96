import Synchronization

/// The wish that a command ends before it is done, because nobody waits for it any more.
final class Cancellation: Sendable {
    private struct State {
        var isRequested = false
        var actions: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    var isRequested: Bool { state.withLock { $0.isRequested } }

    func request() {
        let actions = state.withLock { state in
            defer { state = State(isRequested: true) }
            return state.actions
        }
        for action in actions { action() }
    }

    /// Calls `action` when the wish comes, at once if it is there.
    func onRequest(_ action: @escaping @Sendable () -> Void) {
        let isRequested = state.withLock { state in
            if !state.isRequested { state.actions.append(action) }
            return state.isRequested
        }
        if isRequested { action() }
    }
}
