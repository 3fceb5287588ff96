import Synchronization

/// Writes on a thread of its own, as long as there is something to write: a reader who stands still holds up nobody else.
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

    /// - Parameters:
    ///   - limit: How many bytes may wait.
    ///   - overflow: The error when there are more.
    ///   - write: Writes bytes, and takes as long as it takes.
    public init(limit: Int, overflow: Failure, write: @escaping @Sendable ([UInt8]) throws(Failure) -> Void) {
        self.limit = limit
        self.overflow = overflow
        self.write = write
    }

    /// Has bytes written behind all that came before, and does not wait for that.
    ///
    /// - Throws: The error of what was written before. After an error nothing is written any more.
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

    /// Calls `action` when all that was put before is written, or cannot be, on any thread.
    public func whenIdle(_ action: @escaping @Sendable () -> Void) {
        let isIdle = state.withLock { state in
            if state.isWriting { state.waiting.append(action) }
            return !state.isWriting
        }
        if isIdle { action() }
    }

    /// Throws the error of what was written before, if there was one.
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

    /// What is written next; nil when there is nothing, and the thread ends.
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
