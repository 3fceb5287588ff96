import ChatCore
import Synchronization
import SystemIO

/// The progress of a transfer as its events tell it: `sending 45 %, 1.2 of 2.7 MB, 3.1 MB/s, 1 s left`.
final class FileProgress: Sendable {
    private struct State {
        var name = ""
        var done = 0
        var total = 0
        var start: ContinuousClock.Instant?
        /// The bytes that were done at the start.
        var former = 0
    }

    private let verb: String
    private let state = Mutex(State())

    /// - Parameter verb: What is done: `sending`.
    init(_ verb: String) {
        self.verb = verb
    }

    /// Notes an event of the store.
    func note(_ event: any ChatEvent) {
        switch event {
        case let event as FileSendingEvent: note(event.file.name, event.sentSize, event.totalSize)
        case let event as FileReceivingEvent: note(event.file.name, event.receivedSize, event.totalSize)
        default: break
        }
    }

    private func note(_ name: String, _ done: Int64, _ total: Int64) {
        state.withLock { state in
            if state.start == nil || name != state.name {
                state.start = .now
                state.former = Int(clamping: done)
            }
            state.name = name
            state.done = Int(clamping: done)
            state.total = Int(clamping: total)
        }
    }

    /// What is shown now.
    var step: ProgressStep {
        let state = state.withLock { $0 }
        guard state.total > 0, let start = state.start else { return ProgressStep(text: verb) }
        let share = Int(Double(state.done) / Double(state.total) * 100)
        var text = "\(verb) \(share) %, \(ByteCount.text(state.done)) of \(ByteCount.text(state.total))"
        let seconds = Double((ContinuousClock.now - start) / .seconds(1)), moved = state.done - state.former
        if seconds > 1, moved > 0 {
            let rate = Double(moved) / seconds
            let left = Int((Double(state.total - state.done) / rate).rounded(.up))
            text += ", \(ByteCount.text(Int(rate)))/s, \(left) s left"
        }
        return ProgressStep(text: text, done: state.done, total: state.total)
    }
}
