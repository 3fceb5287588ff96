import Synchronization
import TerminalKit

/// Takes the session that has a store open to places that other processes name: links, and what notifications are about.
public final class SessionVisits: Sendable {
    /// Goes somewhere; the answer is whether that is done now, or kept until the session can show something.
    public typealias Guide = @Sendable (String) -> Bool

    private let guide = Mutex<Guide?>(nil)

    /// Has `guide` be called on the loop's thread from now on.
    func begin(_ guide: @escaping Guide) {
        self.guide.withLock { $0 = guide }
    }

    /// Whether a session is there. It may be gone when somebody goes.
    var isPossible: Bool { guide.withLock { $0 != nil } }

    /// Hands a place over, in the form that `open` takes. Nil if there is no session. On the loop's thread.
    func visit(_ place: String) -> VisitReport? {
        guard let guide = guide.withLock({ $0 }) else { return nil }
        return VisitReport(place: place, isNow: guide(place))
    }
}

extension OpenSession {
    /// Calls `guide` on the loop's thread with what other processes want the session to show (`tacit open`).
    public func whenVisited(_ guide: @escaping SessionVisits.Guide) {
        host.visits.begin(guide)
    }
}
