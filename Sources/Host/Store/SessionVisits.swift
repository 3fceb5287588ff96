public import JSONCoding
import Synchronization

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

    /// A place, in the form that `open` takes, and the answer of the session to it.
    public struct Visit: Hashable, Sendable {
        public let place: String
        public let outcome: Outcome

        init(place: String, outcome: Outcome) {
            self.place = place
            self.outcome = outcome
        }

        /// The answer of another process; nil if it has no session.
        public init?(_ json: JSONObject) {
            guard let place = json["place"]?.string, let state = json["state"]?.string,
                let outcome = Outcome(rawValue: state)
            else { return nil }
            self.init(place: place, outcome: outcome)
        }

        public var json: JSONObject {
            ["v": 1, "type": "visit", "place": .string(place), "state": .string(outcome.rawValue)]
        }
    }

    /// Goes somewhere. Called on the loop's thread.
    public typealias Guide = @Sendable (String) -> Outcome

    private struct State {
        var guides: [(number: Int, guide: Guide)] = []
        var last = 0
    }

    private let state = Mutex(State())

    init() {}

    /// The registration of a session, until it ends it.
    public struct Registration: Sendable {
        fileprivate let visits: SessionVisits
        fileprivate let number: Int

        public func end() {
            visits.state.withLock { state in state.guides.removeAll { $0.number == number } }
        }
    }

    /// Registers `guide`.
    @discardableResult
    public func begin(_ guide: @escaping Guide) -> Registration {
        state.withLock { state in
            state.last += 1
            state.guides.append((state.last, guide))
            return Registration(visits: self, number: state.last)
        }
    }

    /// True if there is a session. It may end before ``visit(_:)``.
    public var isPossible: Bool { state.withLock { !$0.guides.isEmpty } }

    /// Passes on a place, in the form that `open` takes. Nil if there is no session. On the loop's thread.
    public func visit(_ place: String) -> Visit? {
        guard let last = state.withLock({ $0.guides.last }) else { return nil }
        return Visit(place: place, outcome: last.guide(place))
    }
}
