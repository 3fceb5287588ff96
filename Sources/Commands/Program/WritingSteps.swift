import ChatCore
import SystemIO

/// Opens a store that is being read once more, for a step that writes: under the lock, and without a way to any relay.
struct WritingSteps: Sendable {
    let access: StoreAccess
    let folder: StoreFolder
    let key: OpenedKey?
    let loop: EventLoop

    /// Waits until nobody else writes. Whoever prints first and writes then finds out here that it would be in vain.
    func awaitTurn() throws {
        _ = try access.lock(folder)
    }

    func run<Result: Sendable>(
        _ body: (ChatCore) async throws -> Result
    ) async throws -> Result {
        let lock = try access.lock(folder)
        defer { withExtendedLifetime(lock) {} }
        // SECURITY: who reads does not expect connections.
        let core = try await ChatCore(folder, .writing, key: key, loop: loop, network: .closed)
        let result = try await body(core)
        try await core.close()
        return result
    }
}
