import ChatCore
import SystemIO

/// Opens a store that is being read once more, for a step that writes: under the lock, and without a way to any relay.
struct WritingSteps: Sendable {
    let access: StoreAccess
    let folder: StoreFolder
    let key: OpenedKey?
    let loop: EventLoop
    let hooks: ChatHooks

    /// Waits until nobody else writes. Whoever prints first and writes then finds out here that it would be in vain.
    func awaitTurn() throws {
        let deadline = ContinuousClock.now + access.invocation[GlobalOptions.lockTimeout]
        while true {
            do {
                _ = try access.lock(folder)
                return
            } catch let hosted as StoreIsHosted {
                if try Forwarding.reach(hosted, access.invocation, until: deadline) != nil { return }
            }
        }
    }

    /// The same, waiting at most so long for another writer.
    func waiting(_ patience: Duration?) -> WritingSteps {
        guard let patience else { return self }
        let timeout = min(patience, access.invocation[GlobalOptions.lockTimeout])
        let access = StoreAccess(access.invocation, isWriting: true, lockTimeout: timeout)
        return WritingSteps(access: access, folder: folder, key: key, loop: loop, hooks: hooks)
    }

    /// Has what disappears removed, if nobody else writes: whoever opens a store for writing does that first. Otherwise that one
    /// has done it.
    func removeExpired() async {
        try? await waiting(.zero).run { _ in }
    }

    /// Carries out commands, or has them carried out where the store is open.
    func run(_ commands: [CoreCommand]) async throws {
        do {
            try await run { core in
                for command in commands { _ = try await core.execute(command) }
            }
        } catch let error as StoreIsHosted {
            // Short steps, and nothing else happens on this loop.
            try Forwarding.carryOut(commands.map(\.text), access.invocation, at: error)
        }
    }

    /// The same for typed commands.
    func run(_ commands: [any ChatCommand]) async throws {
        do {
            try await run { core in
                for command in commands { _ = try await core.execute(command) }
            }
        } catch let error as StoreIsHosted {
            try Forwarding.carryOut(commands.map(\.text), access.invocation, at: error)
        }
    }

    /// Does something with the store, if nobody else has it open.
    func run<Result: Sendable>(_ body: @Sendable (LocalCore) async throws -> Result) async throws -> Result {
        let lock = try access.lock(folder)
        defer { withExtendedLifetime(lock) {} }
        // SECURITY: who reads does not expect connections.
        let core = try await LocalCore(
            folder, .writing, key: key, loop: loop, network: .closed, machine: access.invocation.machine, hooks: hooks)
        let result = try await body(core)
        try await core.close()
        return result
    }
}
