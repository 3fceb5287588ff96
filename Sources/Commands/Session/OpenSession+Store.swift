public import ChatCore
import SystemIO
import TerminalKit

/// The files of the store, as long as a session lasts.
extension OpenSession {
    public var folder: StoreFolder { host.folder }

    /// Calls `notice` on the loop's thread when nothing is received any more, because the store could not be written. Nothing
    /// is sent then either, until the store is opened anew.
    public func whenReceptionEnds(_ notice: @escaping @Sendable (any Error) -> Void) {
        guard let receiving else { return }
        Task(executorPreference: loop) {
            do { _ = try await receiving.value } catch { if !receiving.isCancelled { notice(error) } }
        }
    }

    /// Whether a store that could not be written might be by now.
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
