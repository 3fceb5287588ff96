import ChatCore
import Commands
import Synchronization
import SystemIO

/// The end of a session, and the start of the next one in the same process.
final class SessionEnding: Sendable {
    private struct State {
        var signal: Int32?
        var isErased = false
        /// True if another process has replaced the store.
        var isReplaced = false
        var resumption: Session.Resumption?
    }

    private let state = Mutex(State())

    /// The signal that ended it.
    var signal: Int32? {
        get { state.withLock { $0.signal } }
        set { state.withLock { $0.signal = newValue } }
    }

    /// True if the self-destruct passcode has replaced the store by an empty one.
    var isErased: Bool {
        get { state.withLock { $0.isErased } }
        set { state.withLock { $0.isErased = newValue } }
    }

    /// The state with which the next session goes on.
    var resumption: Session.Resumption? {
        get { state.withLock { $0.resumption } }
        set { state.withLock { $0.resumption = newValue } }
    }

    /// Returns the start of the next session in an open store.
    ///
    /// SECURITY: in another store than before, nothing of that is shown.
    func beginning(_ start: SessionStart, _ store: SessionStore) -> Session.Beginning {
        state.withLock { state in
            if let former = state.resumption {
                let isSame = former.identity.flatMap { store.folder.identity?.isSameFile(as: $0) } == true
                if isSame { return Session.Beginning(isOpened: former.isOpened, resumption: former) }
                state.isReplaced = true
                return Session.Beginning()
            }
            if state.isErased || state.isReplaced { return Session.Beginning(isOpened: state.isErased) }
            return Session.Beginning(address: start.place, profile: start.profile, isFresh: start.isFresh)
        }
    }
}
