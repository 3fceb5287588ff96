import ChatCore
import Host
import SystemIO

/// Opens a store that is being read once more, for a step that writes: under the lock, and without a way to any relay.
struct WritingSteps: Sendable {
    let access: StoreOpener
    let folder: StoreFolder
    let key: OpenedKey?
    let loop: EventLoop
    let hooks: ChatHooks

    /// Waits until nobody else writes. Whoever prints first and writes then finds out here that it would be in vain.
    func awaitTurn() async throws {
        let deadline = ContinuousClock.now + access.invocation[GlobalOptions.lockTimeout]
        while true {
            switch try access.takeLock(folder) {
            case .taken: return
            case .held(let process):
                if let remote = try await process.connect(loop, until: deadline, for: access.invocation) {
                    return await remote.core.close()
                }
            }
        }
    }

    /// The same, waiting at most so long for another writer.
    func waiting(_ limit: Duration?) -> WritingSteps {
        guard let limit else { return self }
        let timeout = min(limit, access.invocation[GlobalOptions.lockTimeout])
        let access = StoreOpener(access.invocation, isWriting: true, lockTimeout: timeout)
        return WritingSteps(access: access, folder: folder, key: key, loop: loop, hooks: hooks)
    }

    /// Has what disappears removed, if nobody else writes: whoever opens a store for writing does that first. Otherwise that one
    /// has done it.
    func removeExpired() async {
        try? await waiting(.zero).run { _ in }
    }

    /// Carries out commands here, or where the store is open. Short steps, and nothing else happens on this loop.
    func run(_ commands: [any ChatCommand]) async throws {
        let deadline = ContinuousClock.now + access.invocation[GlobalOptions.lockTimeout]
        while true {
            switch try access.takeLock(folder) {
            case .taken(let lock):
                return try await run(under: lock) { core in
                    for command in commands { _ = try await core.execute(command) }
                }
            case .held(let process):
                guard let remote = try await process.connect(loop, until: deadline, for: access.invocation) else {
                    continue
                }
                do {
                    try await remote.core.openProfile(access.invocation)
                    for command in commands { _ = try await remote.core.execute(command) }
                    return await remote.core.close()
                } catch {
                    await remote.core.close()
                    if case ChatError.holder = error { throw error }
                    throw Reason.stepRefused
                }
            }
        }
    }

    /// Does something with the store, if nobody else has it open.
    func run<Result: Sendable>(_ body: @Sendable (LocalCore) async throws -> Result) async throws -> Result {
        try await run(under: try access.lock(folder), body)
    }

    private func run<Result: Sendable>(
        under lock: Held<StoreLock>, _ body: @Sendable (LocalCore) async throws -> Result
    ) async throws -> Result {
        defer { withExtendedLifetime(lock) {} }
        // SECURITY: who reads does not expect connections.
        let core = try await LocalCore(
            folder, .writing, key: key, loop: loop, network: .closed, machine: access.invocation.machine, hooks: hooks)
        let result = try await body(core)
        try await core.close()
        return result
    }
}
