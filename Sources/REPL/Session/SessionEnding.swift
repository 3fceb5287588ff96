import ChatCore
import Commands
import Synchronization
import SystemIO

/// How a session ended, and what the next one in the same process begins with.
final class SessionEnding: Sendable {
    private struct State {
        var signal: Int32?
        var isErased = false
        /// Whether another process has put another store in the place of the one that was open.
        var isReplaced = false
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

    /// What the next session in an open store begins with.
    ///
    /// SECURITY: where another store has come in the place of the one that was open, nothing is said of that.
    func beginning(_ start: SessionStart, _ store: OpenSession) -> Session.Beginning {
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
