import ByteCoding
import Synchronization
import SystemIO

/// The events of one controller that the caller has not taken yet. Each is taken once, by one of any number of threads.
final class EventQueue: Sendable {
    private struct State {
        var events: [Bytes] = []
        /// The index of the oldest event; those before it were taken.
        var first = 0
        var waiting: [BlockingResult<Bytes?>] = []
        var dropped = 0
        var isClosed = false

        var count: Int { events.count - first }

        mutating func take() -> Bytes? {
            if dropped > 0 {
                defer { dropped = 0 }
                return LibraryError.answer(.eventsDropped(dropped))
            }
            guard first < events.count else { return nil }
            let event = events[first]
            events[first] = []
            first += 1
            if first > 1024, first * 2 > events.count {
                events.removeFirst(first)
                first = 0
            }
            return event
        }
    }

    private let state = Mutex(State())
    private let limit: Int

    /// - Parameter limit: The number of events that wait for the caller. Programs that only send never take them, so older ones
    ///   are dropped above this number. What happened is in the store.
    init(limit: Int = 16384) {
        self.limit = limit
    }

    func put(_ event: Bytes) {
        let waiter = state.withLock { state -> BlockingResult<Bytes?>? in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            if state.count >= limit {
                let dropped = state.dropped
                state.dropped = 0
                _ = state.take()
                state.dropped = dropped + 1
            }
            state.events.append(event)
            return nil
        }
        waiter?.deliver(event)
    }

    /// Waits for the next event.
    ///
    /// - Parameter timeout: The longest wait; nil to wait until the queue is closed.
    /// - Returns: Nil after the timeout, or when the queue was closed.
    func next(within timeout: Duration?) -> Bytes? {
        guard let waiter = try? BlockingResult<Bytes?>() else {
            // Without a descriptor the caller would ask again at once.
            SystemClock.pause(min(timeout ?? .milliseconds(100), .milliseconds(100)))
            return state.withLock { $0.take() }
        }
        let (event, isWaiting) = state.withLock { state -> (Bytes?, Bool) in
            if let event = state.take() { return (event, false) }
            guard timeout != .zero, timeout != nil || !state.isClosed else { return (nil, false) }
            state.waiting.append(waiter)
            return (nil, true)
        }
        guard isWaiting else { return event }
        if let delivered = waiter.wait(within: timeout) { return delivered }
        let isTaken = state.withLock { state in
            let place = state.waiting.firstIndex { $0 === waiter }
            if let place { state.waiting.remove(at: place) }
            return place == nil
        }
        // An event that came in the last moment is on its way.
        return isTaken ? waiter.wait() : nil
    }

    /// Wakes those who wait, and has nobody wait without a limit from now on.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.deliver(nil) }
    }

    /// Undoes ``close()``.
    func open() {
        state.withLock { $0.isClosed = false }
    }
}
