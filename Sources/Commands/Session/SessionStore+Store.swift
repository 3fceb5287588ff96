public import ChatCore
import Host
import SystemIO
import TerminalKit

/// The files of the store during a session.
extension SessionStore {
    public var folder: StoreFolder { host.folder }

    /// Calls `notice` on the loop's thread when reception ends because the store cannot be written. Nothing is sent either until
    /// the store is opened again.
    public func whenReceptionEnds(_ notice: @escaping @Sendable (any Error) -> Void) {
        guard let receiving else { return }
        Task(executorPreference: loop) {
            do { _ = try await receiving.value } catch { if !receiving.isCancelled { notice(error) } }
        }
    }

    /// Returns true if the store can be written again.
    public func canBeWritten() async -> Bool {
        let folder = folder
        return await withCheckedContinuation { continuation in
            loop.offload({ folder.canBeWritten }, then: { continuation.resume(returning: $0) })
        }
    }
}

/// The files of a store were removed while it was open, or others stand in their place.
public struct StoreIsGone: Error {
    public init() {}
}
