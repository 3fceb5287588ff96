import ByteCoding
import Synchronization
import SystemIO

/// A command with the thread that waits for its answer.
final class RunningCommand: Sendable {
    let result: BlockingResult<Bytes>
    private let isAnswered = Mutex(false)

    init() throws(SystemError) {
        result = try BlockingResult()
    }

    /// Delivers the answer, unless there is one already.
    func deliver(_ answer: Bytes) {
        let isFirst = isAnswered.withLock { isAnswered in
            defer { isAnswered = true }
            return !isAnswered
        }
        if isFirst { result.deliver(answer) }
    }
}

/// The commands that run now.
final class RunningCommands: Sendable {
    private struct State {
        var calls: [ObjectIdentifier: (call: RunningCommand, task: Task<Void, Never>?)] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    var isEmpty: Bool { state.withLock { $0.calls.isEmpty } }

    /// Returns false if no command may begin.
    func begin(_ call: RunningCommand) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.calls[ObjectIdentifier(call)] = (call, nil)
            return true
        }
    }

    func add(_ task: Task<Void, Never>, to call: RunningCommand) {
        let isCancelled = state.withLock { state in
            guard state.calls[ObjectIdentifier(call)] != nil else { return false }
            state.calls[ObjectIdentifier(call)] = (call, task)
            return state.isClosed
        }
        if isCancelled { task.cancel() }
    }

    func end(_ call: RunningCommand) {
        state.withLock { state in _ = state.calls.removeValue(forKey: ObjectIdentifier(call)) }
    }

    /// Asks all commands to end, and lets no other begin.
    func cancelAll() {
        let tasks = state.withLock { state in
            state.isClosed = true
            return state.calls.values.compactMap(\.task)
        }
        for task in tasks { task.cancel() }
    }

    /// Answers those who still wait.
    func abandonAll(_ answer: Bytes) {
        let calls = state.withLock { state in
            defer { state.calls = [:] }
            return state.calls.values.map(\.call)
        }
        for call in calls { call.deliver(answer) }
    }
}
