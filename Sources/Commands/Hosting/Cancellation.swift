import Synchronization

/// A request to end a command before it is done.
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

    /// Calls `action` when the request arrives, immediately if it has arrived.
    func onRequest(_ action: @escaping @Sendable () -> Void) {
        let isRequested = state.withLock { state in
            if !state.isRequested { state.actions.append(action) }
            return state.isRequested
        }
        if isRequested { action() }
    }
}
