import Synchronization

/// The listeners to events of one kind.
public final class Listeners<Event: Sendable>: Sendable {
    private struct State {
        var listeners: [Int: @Sendable (Event) -> Void] = [:]
        var last = 0
    }

    private let state = Mutex(State())

    public init() {}

    /// The registration of a listener, until it is removed.
    public struct Listening: Sendable {
        fileprivate let listeners: Listeners
        fileprivate let number: Int

        public func end() {
            listeners.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
    }

    /// Calls `listener` on the loop's thread with each event from now on, in the order in which listeners came.
    public func listen(_ listener: @escaping @Sendable (Event) -> Void) -> Listening {
        state.withLock { state in
            state.last += 1
            state.listeners[state.last] = listener
            return Listening(listeners: self, number: state.last)
        }
    }

    public func tell(_ event: Event) {
        let listeners = state.withLock { $0.listeners.sorted { $0.key < $1.key } }
        for (_, listener) in listeners { listener(event) }
    }
}
