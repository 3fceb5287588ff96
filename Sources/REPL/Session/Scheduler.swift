import SystemIO

/// Runs work of a session later, in the isolation of the session.
protocol Scheduler: AnyObject {
    /// Runs `work` after everything that was enqueued before.
    func enqueue(_ work: @escaping () async -> Void)
    /// Runs `work` beside the queue.
    func start(_ work: @escaping () async -> Void)
    /// Calls `action` after a time.
    func after(_ delay: Duration, _ action: @escaping () -> Void)
}

/// The work of one session.
final class WorkQueue: Scheduler {
    /// Starts a task of the session, which calls its argument.
    typealias Starter = (@escaping @Sendable (WorkQueue) async -> Void) -> Void

    private let loop: EventLoop
    private let life: SessionLife
    /// Set before anything is enqueued.
    var starter: Starter?
    private var waiting: [() async -> Void] = []
    private var isWorking = false
    /// Work that starts with the next task.
    private var started: [() async -> Void] = []

    init(_ loop: EventLoop, _ life: SessionLife) {
        self.loop = loop
        self.life = life
    }

    func enqueue(_ work: @escaping () async -> Void) {
        waiting.append(work)
        guard !isWorking else { return }
        isWorking = true
        starter? { await $0.runWaiting() }
    }

    func start(_ work: @escaping () async -> Void) {
        started.append(work)
        starter? { await $0.runStarted() }
    }

    func after(_ delay: Duration, _ action: @escaping () -> Void) {
        loop.after(delay, action)
    }

    private func runWaiting() async {
        while !waiting.isEmpty, !life.hasEnded {
            let work = waiting.removeFirst()
            await work()
        }
        isWorking = false
    }

    private func runStarted() async {
        guard !started.isEmpty else { return }
        let work = started.removeFirst()
        await work()
    }
}
