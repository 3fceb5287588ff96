import ChatCore
import Host
import SystemIO
import TerminalKit

/// Makes the calls of hooks that are in the store, one after the other.
///
/// A call is taken out of the store when its hook has ended with 0, so that a hook is told of everything at least once,
/// whatever is killed in between. Several processes may want to make calls; one at a time does, and it looks once more after
/// it has let go, so that none is left behind.
actor HookRunner: StoreHookRunner {
    /// Gives access to the store: that of a process that keeps it open, or a step under the lock.
    typealias Turn = @Sendable (@Sendable (LocalCore) async throws -> HookRun?) async throws -> HookRun?

    /// For how long a command whose work is done goes on to make calls.
    static let timeout = Duration.seconds(60)
    /// How long a process that stays waits before it makes a call again that has failed once, twice and so on.
    private static let delays: [Duration] = [.seconds(10), .seconds(60), .seconds(300)]

    nonisolated let invocation: Invocation
    private let folder: HookFolder
    private let loop: EventLoop
    /// When calls that have failed may be made again; never in this process if nil.
    private var pauses: [HookRun.ID: ContinuousClock.Instant?] = [:]
    private var isBusy = false
    /// Whether something came while calls were being made.
    private var hasMore = false
    /// Whether another process made calls, and may have left some.
    private var wasLocked = false
    private var isStaying = false
    private var timer: Timer?
    /// How to reach the store, as long as the process stays.
    private var turn: Turn?
    private var whenIdle: [CheckedContinuation<Void, Never>] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe loop.asUnownedSerialExecutor()
    }

    /// Makes calls of the hooks in a folder.
    init(_ folder: HookFolder, _ invocation: Invocation, on loop: EventLoop) {
        self.folder = folder
        self.invocation = invocation
        self.loop = loop
    }

    // MARK: - A process that stays

    nonisolated func stay(on core: LocalCore) {
        assumeIsolated { $0.stay { try await $0(core) } }
    }

    /// Makes calls from now on, whenever there are some.
    func stay(_ turn: @escaping Turn) {
        self.turn = turn
        isStaying = true
        wake()
    }

    /// There may be something to tell.
    func wake() {
        guard let turn else { return }
        guard !isBusy else {
            hasMore = true
            return
        }
        isBusy = true
        Task(executorPreference: loop) { await self.work(turn) }
    }

    private func work(_ turn: Turn) async {
        repeat {
            hasMore = false
            await makeCalls(turn, until: nil)
        } while hasMore
        isBusy = false
        setAlarm()
        whenIdle.forEach { $0.resume() }
        whenIdle = []
    }

    /// Makes no more calls, and waits for the one that is being made.
    func leave() async {
        turn = nil
        timer?.cancel()
        guard isBusy else { return }
        await withCheckedContinuation { whenIdle.append($0) }
    }

    private func setAlarm() {
        timer?.cancel()
        // What is over was made, or somebody else has made it.
        pauses = pauses.filter { _, end in end.map { $0 > .now } ?? true }
        let ends = pauses.values.compactMap(\.self) + (wasLocked ? [.now + HookRunner.delays[0]] : [])
        guard turn != nil, let next = ends.min() else { return }
        timer = loop.after(max(next - .now, .zero)) { self.assumeIsolated { $0.wake() } }
    }

    // MARK: - Calls

    /// Whether there are calls in an open store that this process has to make when it has done its work.
    func areLeft(_ core: LocalCore) async throws -> Bool {
        guard !isStaying else { return false }
        return try await core.nextHookRun(after: nil, besides: besides) != nil
    }

    /// Makes all calls that may be made now. What is not done when time is up is left to others.
    func makeCalls(_ turn: Turn, until deadline: ContinuousClock.Instant?) async {
        do {
            var isLeft = true
            while isLeft {
                guard let lock = try FolderLock(folder.path) else {
                    wasLocked = true
                    return
                }
                wasLocked = false
                var next = try await turn { [besides] in try await $0.nextHookRun(after: nil, besides: besides) }
                while let run = next {
                    if let deadline, deadline <= .now { return }
                    if deadline == nil, self.turn == nil { return }
                    let settled = await make(run).map { (run.id, $0) }
                    next = try await turn { [besides] in
                        try await $0.nextHookRun(
                            after: settled, turnBehind: run.call.chatID ?? "", besides: besides)
                    }
                }
                _ = consume lock
                isLeft = try await turn { [besides] in try await $0.nextHookRun(after: nil, besides: besides) } != nil
            }
        } catch let error as StoreInUse {
            invocation.trace(
                error.obstacle == .needsItsEnd
                    ? "hooks are pending: another process has the store open and runs them"
                    : "hooks are pending: another process is writing to the store")
        } catch {
            let failure = Explained(error).failure(during: "run hooks")
            invocation.warn(failure.what)
        }
    }

    /// Calls that must wait.
    private var besides: Set<HookRun.ID> {
        Set(pauses.filter { _, end in end.map { $0 > .now } ?? true }.keys)
    }

    /// Makes a call, and returns how it ended; nil if it has to wait.
    private func make(_ run: HookRun) async -> LocalCore.HookOutcome? {
        guard let hook = Hook(rawValue: run.call.hook) else { return .void }
        switch folder.state(of: hook) {
        case .missing: return .void
        case .ignored:
            pauses[run.id] = .some(turn == nil ? nil : .now + HookRunner.timeout)
            return nil
        case .ready(let path):
            let program = HookProgram(hook: hook, path: path, environment: invocation.environment)
            let ending = await program.run(run.call, on: loop, invocation.runningHook)
            guard !ending.isGood else {
                pauses[run.id] = nil
                return .done
            }
            note(run, "the hook \(hook.rawValue) \(ending.words)")
            return .failed(ending.words)
        }
    }

    private func note(_ run: HookRun, _ problem: String) {
        let delay = turn == nil ? nil : HookRunner.delays.dropFirst(run.failures).first
        pauses[run.id] = .some(delay.map { .now + $0 })
        let isLast = run.failures + 1 >= HookRun.mostFailures
        invocation.warn(problem + (isLast ? "; no more attempts" : "; another attempt follows later"))
    }
}
