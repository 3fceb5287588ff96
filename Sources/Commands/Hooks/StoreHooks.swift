import ChatCore
import SystemIO
import TerminalKit

/// The hooks of a store that is being opened.
struct StoreHooks: Sendable {
    /// What the core is told of them.
    let core: ChatHooks
    /// Makes the calls; nil where nothing is written, or there are no hooks.
    let runner: HookRunner?

    /// No hooks, for a store that is not that of a person.
    static let none = StoreHooks()

    private init() {
        core = .none
        runner = nil
    }

    init(_ invocation: Invocation, _ loop: EventLoop, isWriting: Bool) throws {
        let folder = try HookFolder(invocation)
        core = ChatHooks(calls: { folder.calls(for: $0) }) { utterances in
            await SendGate(folder, invocation, loop)?.objection(to: utterances)
        }
        runner = isWriting && folder.exists ? HookRunner(folder, invocation, on: loop) : nil
        if runner != nil { folder.warn(invocation) }
    }

    /// What is left to be done when the store has been closed.
    func waiting(_ core: LocalCore, _ steps: WritingSteps) async throws -> WaitingCalls? {
        guard let runner, try await runner.areLeft(core) else { return nil }
        return WaitingCalls(runner: runner, steps: steps)
    }
}

/// Calls of hooks that a command leaves behind which has done its work.
struct WaitingCalls: Sendable {
    let runner: HookRunner
    let steps: WritingSteps

    /// Makes them, each in a step under the lock, so that a hook can use the store.
    func make() throws {
        let running = runner.invocation.runningHook
        try runner.invocation.output.flush()
        let signals = try SignalWatch(EndingSignal.heeded, on: steps.loop) { number in
            running.end()
            ProcessEnding.signal(number)
        }
        let deadline = ContinuousClock.now + HookRunner.timeout
        try steps.loop.run { await runner.makeCalls({ try await steps.run($0) }, until: deadline) }
        _ = consume signals
    }
}
