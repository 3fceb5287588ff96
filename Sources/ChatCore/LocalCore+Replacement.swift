import SystemIO

extension LocalCore {
    /// Does blocking work on a thread of its own.
    func aside<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let outcome: Result<Value, any Error> = await withCheckedContinuation { continuation in
            loop.offload {
                Result { try work() }
            } then: { (outcome: Result<Value, any Error>) in
                continuation.resume(returning: outcome)
            }
        }
        return try outcome.get()
    }

    /// Puts other databases in the place of those of this core, on a thread of its own. From then on the core refuses all
    /// commands; if the work fails, the store is as it was and the core goes on.
    ///
    /// - Throws: ``ChatError/notStopped`` until ``StopChat``, if it receives.
    func replaceStore(_ work: @escaping @Sendable (StoreFolder, OpenedKey?) throws -> Void) async throws {
        guard !exchange.isRunning else { throw ChatError.notStopped }
        // Commands that still wait are woken by the agent when they are cancelled, so it is stopped and kept.
        try context.connectedAgent?.stop()
        let folder = folder, key = key
        // Commands of other clients must not write to databases that are about to go.
        isReplaced = true
        do {
            try await aside { try work(folder, key) }
        } catch {
            isReplaced = false
            throw error
        }
        files.pause()
        expiry.cancel()
        calls.cancel()
    }
}
