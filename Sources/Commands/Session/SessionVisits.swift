import Synchronization
import TerminalKit

/// The requests of other processes that the session show something: links, and the chats of notifications.
/// Of several sessions the newest gets them.
public final class SessionVisits: Sendable {
    /// The answer of a session to a request.
    public enum Outcome: String, CaseIterable, Sendable {
        /// The session goes there.
        case shown
        /// The session goes there when it can show something.
        case kept
        /// The session of another process was told.
        case told
    }

    /// Goes somewhere. Called on the loop's thread.
    public typealias Guide = @Sendable (String) -> Outcome

    private struct State {
        var guides: [(number: Int, guide: Guide)] = []
        var last = 0
    }

    private let state = Mutex(State())

    /// The registration of a session, until it ends it.
    struct Visiting: Sendable {
        fileprivate let visits: SessionVisits
        fileprivate let number: Int

        func end() {
            visits.state.withLock { state in state.guides.removeAll { $0.number == number } }
        }
    }

    /// Registers `guide`.
    @discardableResult
    func begin(_ guide: @escaping Guide) -> Visiting {
        state.withLock { state in
            state.last += 1
            state.guides.append((state.last, guide))
            return Visiting(visits: self, number: state.last)
        }
    }

    /// True if there is a session. It may end before ``visit(_:)``.
    var isPossible: Bool { state.withLock { !$0.guides.isEmpty } }

    /// Passes on a place, in the form that `open` takes. Nil if there is no session. On the loop's thread.
    func visit(_ place: String) -> VisitReport? {
        guard let last = state.withLock({ $0.guides.last }) else { return nil }
        return VisitReport(place: place, outcome: last.guide(place))
    }
}

extension SessionStore {
    /// Calls `guide` on the loop's thread with what other processes ask the session to show (`tacit open`).
    public func whenVisited(_ guide: @escaping SessionVisits.Guide) {
        host.visits.begin(guide)
    }
}
