/// A timer of an ``EventLoop``. Cancelling a fired timer has no effect.
public final class Timer {
    fileprivate let deadline: ContinuousClock.Instant
    fileprivate let order: UInt64
    fileprivate private(set) var action: (() -> Void)?

    fileprivate init(_ deadline: ContinuousClock.Instant, _ order: UInt64, _ action: @escaping () -> Void) {
        self.deadline = deadline
        self.order = order
        self.action = action
    }

    /// Cancels the timer.
    public func cancel() {
        action = nil
    }

    /// Calls the action, once.
    package func fire() {
        let action = action
        self.action = nil
        action?()
    }
}

/// The timers by deadline, in a binary heap. Cancelled entries are dropped at the top, and everywhere when the heap has
/// doubled. So a timer that is set and cancelled for each message uses no memory until its deadline.
package struct TimerQueue {
    private var heap: [Timer] = []
    private var count: UInt64 = 0
    /// The size at which cancelled entries are dropped.
    private var limit = TimerQueue.smallest
    private static let smallest = 64

    /// The number of timers, including cancelled ones.
    package var size: Int { heap.count }

    /// Creates an empty queue.
    package init() {}

    /// Adds a timer.
    package mutating func add(deadline: ContinuousClock.Instant, _ action: @escaping () -> Void) -> Timer {
        count += 1
        if heap.count >= limit { dropCancelled() }
        let timer = Timer(deadline, count, action)
        heap.append(timer)
        siftUp(heap.count - 1)
        return timer
    }

    /// Removes and returns all due timers, in the order of their deadlines.
    package mutating func takeDue(now: ContinuousClock.Instant) -> [Timer] {
        var due: [Timer] = []
        while let first = heap.first, first.action == nil || first.deadline <= now {
            due.append(removeFirst())
        }
        return due
    }

    /// Returns the timeout for epoll_wait(2) in milliseconds; -1 without a timer. Rounded up, so that the loop does not
    /// turn too early.
    package mutating func millisecondsToNext(now: ContinuousClock.Instant) -> Int32 {
        while let first = heap.first, first.action == nil {
            _ = removeFirst()
        }
        guard let first = heap.first else { return -1 }
        let (seconds, attoseconds) = (first.deadline - now).components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < 86_400 else { return 86_400_000 }
        return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    private mutating func dropCancelled() {
        heap.removeAll { $0.action == nil }
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(index) }
        limit = max(TimerQueue.smallest, 2 * heap.count)
    }

    private mutating func removeFirst() -> Timer {
        heap.swapAt(0, heap.count - 1)
        let first = heap.removeLast()
        siftDown(0)
        return first
    }

    private func comesBefore(_ left: Int, _ right: Int) -> Bool {
        (heap[left].deadline, heap[left].order) < (heap[right].deadline, heap[right].order)
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0, comesBefore(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && comesBefore(child, smallest) {
                smallest = child
            }
            guard smallest != parent else { return }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
