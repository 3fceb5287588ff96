import Synchronization
import TerminalKit

/// Takes the session that has a store open to places that other processes name: links, and what notifications are about.
/// Of several sessions it is the one that came last.
public final class SessionVisits: Sendable {
    /// What a session does about a place.
    public enum Outcome: String, CaseIterable, Sendable {
        /// It goes there.
        case shown
        /// It goes there when it can show something.
        case kept
        /// It was told, in another process.
        case told
    }

    /// Goes somewhere. Called on the loop's thread.
    public typealias Guide = @Sendable (String) -> Outcome

    private struct State {
        var guides: [(number: Int, guide: Guide)] = []
        var last = 0
    }

    private let state = Mutex(State())

    /// The wish to be taken to places, until it is taken back.
    struct Visiting: Sendable {
        fileprivate let visits: SessionVisits
        fileprivate let number: Int

        func end() {
            visits.state.withLock { state in state.guides.removeAll { $0.number == number } }
        }
    }

    /// Has `guide` be called from now on.
    @discardableResult
    func begin(_ guide: @escaping Guide) -> Visiting {
        state.withLock { state in
            state.last += 1
            state.guides.append((state.last, guide))
            return Visiting(visits: self, number: state.last)
        }
    }

    /// Whether a session is there. It may be gone when somebody goes.
    var isPossible: Bool { state.withLock { !$0.guides.isEmpty } }

    /// Hands a place over, in the form that `open` takes. Nil if there is no session. On the loop's thread.
    func visit(_ place: String) -> VisitReport? {
        guard let last = state.withLock({ $0.guides.last }) else { return nil }
        return VisitReport(place: place, outcome: last.guide(place))
    }
}

extension OpenSession {
    /// Calls `guide` on the loop's thread with what other processes want the session to show (`tacit open`).
    public func whenVisited(_ guide: @escaping SessionVisits.Guide) {
        host.visits.begin(guide)
    }
}
