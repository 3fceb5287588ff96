import Synchronization

/// How a session ended, and what the next one in the same process begins with.
final class SessionEnding: Sendable {
    private struct State {
        var signal: Int32?
        var isErased = false
        var resumption: Session.Resumption?
    }

    private let state = Mutex(State())

    /// The signal that ended it.
    var signal: Int32? {
        get { state.withLock { $0.signal } }
        set { state.withLock { $0.signal = newValue } }
    }

    /// Whether the store has become an empty one, which the passcode has opened.
    var isErased: Bool {
        get { state.withLock { $0.isErased } }
        set { state.withLock { $0.isErased = newValue } }
    }

    /// Where the next session goes on.
    var resumption: Session.Resumption? {
        get { state.withLock { $0.resumption } }
        set { state.withLock { $0.resumption = newValue } }
    }
}
