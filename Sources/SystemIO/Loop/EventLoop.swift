import CLinux
import Glibc
import Synchronization

/// One thread that waits for descriptors and timers and runs Swift tasks in between.
///
/// A tacit process does its work on a single event loop: sockets become readable, timers fire, tasks and actors that have
/// the loop as their executor continue, all one after the other on the thread that called ``run(until:)``. Nothing there
/// may wait for the network; short waits for the disk are what the thread is for. Calls that wait for something else
/// (looking up a name) are ``offload(_:then:)``ed.
///
/// Only ``post(_:)`` and the executor's `enqueue` may be called from other threads; everything else must be called on the
/// loop's own thread, which is the one that created it.
public final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    // Safe because `inbox` is locked, and all other state is only touched on the loop's own thread.

    /// What a descriptor is watched for.
    public struct Interest: OptionSet, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        public static let reading = Interest(rawValue: 1)
        public static let writing = Interest(rawValue: 2)
    }

    private enum Work {
        case job(UnownedJob)
        case action(@Sendable () -> Void)
    }

    private let thread = pthread_self()
    private let poller: FileDescriptor
    private let alarm: FileDescriptor
    private let inbox = Mutex<[Work]>([])
    private var watches: [Int32: Watch] = [:]
    private var timers = TimerQueue()
    private var endOfTurn: [() -> Void] = []
    private var favourite: Int32?
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

    public init() throws(SystemError) {
        poller = FileDescriptor(owning: try systemCall("create an event queue") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
        let flags = Int32(EFD_CLOEXEC | EFD_NONBLOCK)
        alarm = FileDescriptor(owning: try systemCall("create an event queue") { eventfd(0, flags) })
        try control(EPOLL_CTL_ADD, alarm.number, .reading)
    }

    // MARK: - Running

    /// Handles events on this thread until `isDone` says so. It is asked after every turn.
    public func run(until isDone: () -> Bool) {
        requireOwnThread()
        while !isDone() {
            turn()
        }
    }

    /// Runs a task on the loop until it ends, and returns or throws what it does.
    public func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let outcome = Outcome<Value>()
        Task(executorPreference: self) {
            do { outcome.set(.success(try await body())) } catch { outcome.set(.failure(error)) }
        }
        run { outcome.value != nil }
        guard let result = outcome.value else { preconditionFailure("the loop ran until there was a result") }
        return try result.get()
    }

    /// What the root task left behind.
    private final class Outcome<Value: Sendable>: Sendable {
        private let result = Mutex<Result<Value, any Error>?>(nil)

        var value: Result<Value, any Error>? { result.withLock { $0 } }

        func set(_ value: Result<Value, any Error>) {
            result.withLock { $0 = value }
        }
    }

    /// One round: one wait, unless something is due already, then everything that is due.
    private func turn() {
        // The end of a turn may also have been asked for before the loop ran.
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
            lookAtFavourite()
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
                lookAtFavourite()
                action()
            }
        }
    }

    /// Calls the handler of the favourite if something came there.
    private func lookAtFavourite() {
        guard let favourite, let watch = watches[favourite], watch.interest.contains(.reading) else { return }
        var request = pollfd(fd: favourite, events: Int16(POLLIN), revents: 0)
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
                if descriptor == alarm.number { silenceAlarm() }
                lookAtFavourite()
                // What came there has been dealt with now.
                if descriptor == favourite { continue }
                // A handler earlier in this batch may have stopped watching the descriptor.
                guard let watch = watches[descriptor] else { continue }
                watch.handler(ready.intersection(watch.interest))
            }
        }
    }

    private func silenceAlarm() {
        var count: UInt64 = 0
        _ = unsafe read(alarm.number, &count, MemoryLayout<UInt64>.size)
    }

    // MARK: - Descriptors

    /// Calls `handler` whenever the descriptor is ready for what it is watched for. A broken descriptor counts as ready.
    public func watch(
        _ descriptor: Int32, for interest: Interest, _ handler: @escaping (Interest) -> Void
    ) throws(SystemError) {
        requireOwnThread()
        try control(EPOLL_CTL_ADD, descriptor, interest)
        watches[descriptor] = Watch(interest, handler)
    }

    /// Has what comes at a watched descriptor dealt with between any two other things, and not in its turn: somebody waits for
    /// the answer. It is watched for reading only. Nil takes that back.
    public func favour(_ descriptor: Int32?) {
        requireOwnThread()
        favourite = descriptor
    }

    /// Changes what a watched descriptor is watched for.
    public func rewatch(_ descriptor: Int32, for interest: Interest) {
        requireOwnThread()
        guard let watch = watches[descriptor], watch.interest != interest else { return }
        watch.interest = interest
        // A watched descriptor that is still open cannot fail to be changed.
        try? control(EPOLL_CTL_MOD, descriptor, interest)
    }

    /// Stops watching. Must come before the descriptor is closed.
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

    /// Calls `action` once, not earlier than after `delay`.
    @discardableResult
    public func after(_ delay: Duration, _ action: @escaping () -> Void) -> Timer {
        requireOwnThread()
        return timers.add(deadline: .now + delay, action)
    }

    /// Calls `action` when the events that are ready now have been handled, before the loop waits again.
    public func atEndOfTurn(_ action: @escaping () -> Void) {
        requireOwnThread()
        endOfTurn.append(action)
    }

    // MARK: - Other threads

    /// Calls `action` on the loop's thread. May be called from any thread.
    public func post(_ action: @escaping @Sendable () -> Void) {
        add(.action(action))
    }

    /// Calls `work`, which may wait, on a thread of its own, and then `finish` on the loop's thread.
    public func offload<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, then finish: @escaping (Value) -> Void
    ) {
        requireOwnThread()
        lastOffload += 1
        let id = lastOffload
        // The other thread knows a number only, so that nothing of `finish` is released there.
        offloaded[id] = { value in
            if let value = value as? Value { finish(value) }
        }
        WorkerThread.start { [self] in
            let value = work()
            post { [self] in offloaded.removeValue(forKey: id)?(value) }
        }
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        add(.job(UnownedJob(job)))
    }

    private func add(_ work: Work) {
        let wasEmpty = inbox.withLock { inbox in
            defer { inbox.append(work) }
            return inbox.isEmpty
        }
        // On its own thread the loop looks into the inbox before it waits.
        guard wasEmpty, pthread_equal(thread, pthread_self()) == 0 else { return }
        var one: UInt64 = 1
        _ = unsafe write(alarm.number, &one, MemoryLayout<UInt64>.size)
    }

    public func checkIsolated() {
        requireOwnThread()
    }

    private func requireOwnThread() {
        precondition(pthread_equal(thread, pthread_self()) != 0, "an event loop is used on its own thread")
    }
}
