import CLinux
import Glibc
import Synchronization

/// An event loop: one thread that waits for descriptors and timers and runs Swift tasks in between.
///
/// A tacit process does its work on a single event loop. Handlers of sockets and timers, and tasks and actors with the
/// loop as their executor, run one after the other on the thread that called ``run(until:)``. None of them may wait for
/// the network; short waits for the disk are allowed. Blocking calls, such as resolving a name, are passed to
/// ``offload(_:then:)``.
///
/// Only ``post(_:)`` and the executor's `enqueue` may be called from other threads. All other calls must be on the
/// loop's own thread, the one that created the loop.
/// loop's own thread, which is the one that created it.
public final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    // Safe because `inbox` is locked, and all other state is only touched on the loop's own thread.

    /// The events for which a descriptor is watched.
    public struct Interest: OptionSet, Sendable {
        /// The bits of the set.
        public let rawValue: UInt8
        /// Creates a set from its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The descriptor is readable.
        public static let reading = Interest(rawValue: 1)
        /// The descriptor is writable.
        public static let writing = Interest(rawValue: 2)
    }

    private enum Work {
        case job(UnownedJob)
        case action(@Sendable () -> Void)
    }

    private let thread = pthread_self()
    private let poller: FileDescriptor
    private let wakeUp: FileDescriptor
    private let inbox = Mutex<[Work]>([])
    private var watches: [Int32: Watch] = [:]
    private var timers = TimerQueue()
    private var endOfTurn: [() -> Void] = []
    private var prioritized: Int32?
    private var offloaded: [UInt64: (any Sendable) -> Void] = [:]
    private var lastOffload: UInt64 = 0

    private final class Watch {
        var interest: Interest
        let handler: (Interest) -> Void

        init(_ interest: Interest, _ handler: @escaping (Interest) -> Void) {
            self.interest = interest
            self.handler = handler
        }
    }

    /// Creates the loop of the current thread.
    ///
    /// - Throws: ``SystemError``.
    public init() throws(SystemError) {
        poller = FileDescriptor(owning: try systemCall("create an event queue") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
        let flags = Int32(EFD_CLOEXEC | EFD_NONBLOCK)
        wakeUp = FileDescriptor(owning: try systemCall("create an event queue") { eventfd(0, flags) })
        try control(EPOLL_CTL_ADD, wakeUp.number, .reading)
    }

    // MARK: - Running

    /// Handles events on this thread until `isDone` returns true. It is called after every turn.
    public func run(until isDone: () -> Bool) {
        requireOwnThread()
        while !isDone() {
            turn()
        }
    }

    /// Runs a task on the loop until it ends, and returns its value.
    ///
    /// - Throws: The error of `body`.
    public func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let outcome = Outcome<Value>()
        Task(executorPreference: self) {
            do { outcome.set(.success(try await body())) } catch { outcome.set(.failure(error)) }
        }
        run { outcome.value != nil }
        guard let result = outcome.value else { preconditionFailure("the loop ran until there was a result") }
        return try result.get()
    }

    /// The result of the root task.
    private final class Outcome<Value: Sendable>: Sendable {
        private let result = Mutex<Result<Value, any Error>?>(nil)

        var value: Result<Value, any Error>? { result.withLock { $0 } }

        func set(_ value: Result<Value, any Error>) {
            result.withLock { $0 = value }
        }
    }

    /// Performs one turn: at most one wait, then all due events.
    private func turn() {
        // The end of a turn may also have been requested before the loop ran.
        let hasWork = !endOfTurn.isEmpty || inbox.withLock { !$0.isEmpty }
        poll(milliseconds: hasWork ? 0 : timers.millisecondsToNext(now: .now))
        runInbox()
        for timer in timers.takeDue(now: .now) { timer.fire() }
        finishTurn()
    }

    private func runInbox() {
        let batch = inbox.withLock { inbox in
            defer { inbox.removeAll(keepingCapacity: true) }
            return inbox
        }
        for work in batch {
            handlePrioritized()
            switch work {
            case .action(let action): action()
            case .job(let job):
                unsafe job.runSynchronously(
                    isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
            }
        }
    }

    private func finishTurn() {
        while !endOfTurn.isEmpty {
            let actions = endOfTurn
            endOfTurn.removeAll(keepingCapacity: true)
            for action in actions {
                handlePrioritized()
                action()
            }
        }
    }

    /// Calls the handler of the priority descriptor if it is readable.
    private func handlePrioritized() {
        guard let prioritized, let watch = watches[prioritized], watch.interest.contains(.reading) else { return }
        var request = pollfd(fd: prioritized, events: Int16(POLLIN), revents: 0)
        guard unsafe Glibc.poll(&request, 1, 0) > 0 else { return }
        watch.handler(.reading)
    }

    private func poll(milliseconds: Int32) {
        let capacity = 256
        unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: capacity) { events in
            let count = unsafe epoll_wait(poller.number, events.baseAddress, Int32(capacity), milliseconds)
            // A negative count is an interruption by a signal, whose descriptor will be readable in the next turn.
            for index in 0..<max(0, Int(count)) {
                let event = unsafe events[index]
                let descriptor = unsafe event.data.fd
                let isBroken = unsafe event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0
                var ready: Interest = []
                if unsafe isBroken || event.events & EPOLLIN.rawValue != 0 { ready.insert(.reading) }
                if unsafe isBroken || event.events & EPOLLOUT.rawValue != 0 { ready.insert(.writing) }
                if descriptor == wakeUp.number { clearWakeUp() }
                handlePrioritized()
                // The priority descriptor has been handled now.
                if descriptor == prioritized { continue }
                // An earlier handler of this batch may have stopped watching the descriptor.
                guard let watch = watches[descriptor] else { continue }
                watch.handler(ready.intersection(watch.interest))
            }
        }
    }

    private func clearWakeUp() {
        var count: UInt64 = 0
        _ = unsafe read(wakeUp.number, &count, MemoryLayout<UInt64>.size)
    }

    // MARK: - Descriptors

    /// Calls `handler` whenever the descriptor is ready for its interest. A broken descriptor counts as ready.
    ///
    /// - Throws: ``SystemError``.
    public func watch(
        _ descriptor: Int32, for interest: Interest, _ handler: @escaping (Interest) -> Void
    ) throws(SystemError) {
        requireOwnThread()
        try control(EPOLL_CTL_ADD, descriptor, interest)
        watches[descriptor] = Watch(interest, handler)
    }

    /// Handles a watched descriptor before every other event, instead of in its turn, for low latency. The descriptor
    /// is watched for reading only. Nil ends the priority.
    public func prioritize(_ descriptor: Int32?) {
        requireOwnThread()
        prioritized = descriptor
    }

    /// Changes the interest of a watched descriptor.
    public func rewatch(_ descriptor: Int32, for interest: Interest) {
        requireOwnThread()
        guard let watch = watches[descriptor], watch.interest != interest else { return }
        watch.interest = interest
        // Changing a watched, open descriptor cannot fail.
        try? control(EPOLL_CTL_MOD, descriptor, interest)
    }

    /// Stops watching. Must be called before the descriptor is closed.
    public func unwatch(_ descriptor: Int32) {
        requireOwnThread()
        guard watches.removeValue(forKey: descriptor) != nil else { return }
        try? control(EPOLL_CTL_DEL, descriptor, [])
    }

    private func control(_ operation: Int32, _ descriptor: Int32, _ interest: Interest) throws(SystemError) {
        var event = unsafe epoll_event()
        unsafe event.events =
            (interest.contains(.reading) ? EPOLLIN.rawValue : 0) | (interest.contains(.writing) ? EPOLLOUT.rawValue : 0)
        unsafe event.data.fd = descriptor
        try systemCall("watch a descriptor") { unsafe epoll_ctl(poller.number, operation, descriptor, &event) }
    }

    // MARK: - Timers

    /// Calls `action` once, not earlier than after `delay`. The returned timer can be cancelled.
    @discardableResult
    public func after(_ delay: Duration, _ action: @escaping () -> Void) -> Timer {
        requireOwnThread()
        return timers.add(deadline: .now + delay, action)
    }

    /// Calls `action` after the ready events, before the loop waits again.
    public func atEndOfTurn(_ action: @escaping () -> Void) {
        requireOwnThread()
        endOfTurn.append(action)
    }

    // MARK: - Other threads

    /// Calls `action` on the loop's thread. Safe to call from any thread.
    public func post(_ action: @escaping @Sendable () -> Void) {
        add(.action(action))
    }

    /// Calls `work`, which may block, on a separate thread, and then `finish` on the loop's thread.
    public func offload<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, then finish: @escaping (Value) -> Void
    ) {
        requireOwnThread()
        lastOffload += 1
        let id = lastOffload
        // The other thread has only a number, so that it releases nothing of `finish`.
        offloaded[id] = { value in
            if let value = value as? Value { finish(value) }
        }
        WorkerThread.start { [self] in
            let value = work()
            post { [self] in offloaded.removeValue(forKey: id)?(value) }
        }
    }

    /// Runs a job on the loop's thread. Safe to call from any thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        add(.job(UnownedJob(job)))
    }

    private func add(_ work: Work) {
        let wasEmpty = inbox.withLock { inbox in
            defer { inbox.append(work) }
            return inbox.isEmpty
        }
        // On its own thread the loop reads the inbox before it waits.
        guard wasEmpty, pthread_equal(thread, pthread_self()) == 0 else { return }
        var one: UInt64 = 1
        _ = unsafe write(wakeUp.number, &one, MemoryLayout<UInt64>.size)
    }

    /// Stops the process if the current thread is not the loop's.
    public func checkIsolated() {
        requireOwnThread()
    }

    private func requireOwnThread() {
        precondition(pthread_equal(thread, pthread_self()) != 0, "an event loop is used on its own thread")
    }
}
