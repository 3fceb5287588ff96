import Synchronization

/// How a session ended.
final class SessionEnding: Sendable {
    private let state = Mutex<(signal: Int32?, isErased: Bool)>((nil, false))

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
}
