import Synchronization

/// A writer on a separate thread, which exists while there are bytes to write. A blocked reader delays no other thread.
/// Thread-safe.
public final class BackgroundWriter<Failure: Error>: Sendable {
    private struct State {
        var pending: [UInt8] = []
        var isWriting = false
        var failure: Failure?
        var waiting: [@Sendable () -> Void] = []
    }

    private let limit: Int
    private let overflow: Failure
    private let write: @Sendable ([UInt8]) throws(Failure) -> Void
    private let state = Mutex(State())

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - limit: The largest number of waiting bytes.
    ///   - overflow: The error above the limit.
    ///   - write: Writes bytes; may block.
    public init(limit: Int, overflow: Failure, write: @escaping @Sendable ([UInt8]) throws(Failure) -> Void) {
        self.limit = limit
        self.overflow = overflow
        self.write = write
    }

    /// Queues bytes without waiting.
    ///
    /// - Throws: The error of an earlier write. After an error the writer discards all bytes.
    public func put(_ bytes: [UInt8]) throws(Failure) {
        let mustStart = try state.withLock { state throws(Failure) in
            if let failure = state.failure { throw failure }
            guard state.pending.count + bytes.count <= limit else {
                state.failure = overflow
                throw overflow
            }
            state.pending += bytes
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if mustStart { WorkerThread.start { self.run() } }
    }

    /// Calls `action`, on any thread, when all queued bytes were written or an error occurred.
    public func whenIdle(_ action: @escaping @Sendable () -> Void) {
        let isIdle = state.withLock { state in
            if state.isWriting { state.waiting.append(action) }
            return !state.isWriting
        }
        if isIdle { action() }
    }

    /// Throws the error of an earlier write, if any.
    public func check() throws(Failure) {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    private func run() {
        while let portion = next() {
            do throws(Failure) {
                try write(portion)
            } catch {
                state.withLock { state in
                    state.failure = error
                    state.pending = []
                }
            }
        }
    }

    /// Returns the next bytes to write, or nil, after which the thread ends.
    private func next() -> [UInt8]? {
        let (portion, waiting) = state.withLock { state -> ([UInt8]?, [@Sendable () -> Void]) in
            defer { state.pending = [] }
            guard state.pending.isEmpty else { return (state.pending, []) }
            defer { state.waiting = [] }
            state.isWriting = false
            return (nil, state.waiting)
        }
        for action in waiting { action() }
        return portion
    }
}
