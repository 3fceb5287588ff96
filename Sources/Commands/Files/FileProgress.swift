package import ChatCore
import Synchronization
import SystemIO
import TerminalKit

/// The progress of a transfer as its events tell it: `sending 45 %, 1.2 of 2.7 MB, 3.1 MB/s, 1 s left, plan.pdf`.
package final class FileProgress: Sendable {
    /// The bytes that were done at a moment.
    private struct Sample {
        let time: ContinuousClock.Instant
        let done: Int
    }

    private struct State {
        var id: ChatFileID?
        var name = ""
        var done = 0
        var total = 0
        /// The last ones, oldest first.
        var samples: [Sample] = []
    }

    /// The time over which a rate is measured.
    private static let window = Duration.seconds(10)

    private let verb: String
    private let state = Mutex(State())

    /// - Parameter verb: What is done: `sending`.
    package init(_ verb: String) {
        self.verb = verb
    }

    /// Notes an event of the store.
    package func note(_ event: any ChatEvent) {
        switch event {
        case let event as FileSendingEvent:
            note(event.file.id, event.file.name, event.sentSize, of: event.totalSize)
        case let event as FileReceivingEvent:
            note(event.file.id, event.file.name, event.receivedSize, of: event.totalSize)
        default: break
        }
    }

    /// Notes how many bytes of a file are done.
    package func note(
        _ id: ChatFileID, _ name: String, _ done: Int64, of total: Int64, at now: ContinuousClock.Instant = .now
    ) {
        state.withLock { state in
            if id != state.id { state = State(id: id) }
            state.name = name
            state.done = Int(clamping: done)
            state.total = Int(clamping: total)
            state.samples.append(Sample(time: now, done: state.done))
            // One older than the window stays, so that a slow transfer has a rate too.
            while state.samples.count > 2, now - state.samples[1].time > FileProgress.window {
                state.samples.removeFirst()
            }
        }
    }

    /// The percentage that is done; nil before the first bytes.
    package var share: Int? {
        state.withLock { $0.total > 0 ? Int(Double($0.done) / Double($0.total) * 100) : nil }
    }

    /// The state of the transfer now.
    var step: ProgressStep { step(at: .now) }

    /// The state of the transfer in one line.
    package var text: String { step.text }

    func step(at now: ContinuousClock.Instant) -> ProgressStep {
        let state = state.withLock { $0 }
        guard state.total > 0, let share else { return ProgressStep(text: verb) }
        var step = ProgressStep(
            text: "\(verb) \(share) %, \(ByteCount.text(state.done)) of \(ByteCount.text(state.total))",
            done: state.done,
            total: state.total)
        if let first = state.samples.first {
            let seconds = Double((now - first.time) / .seconds(1)), moved = state.done - first.done
            if seconds > 1, moved > 0 {
                let rate = Double(moved) / seconds, left = Double(state.total - state.done) / rate
                step.rate = Int(rate)
                step.left = .seconds(left.rounded(.up))
                step.text +=
                    ", \(ByteCount.text(Int(rate)))/s, \(FileProgress.text(seconds: Int(left.rounded(.up)))) left"
            }
        }
        step.text += ", \(UntrustedText(state.name).singleLine)"
        return step
    }

    /// `40 s`, `3 min` or `2 h`.
    static func text(seconds: Int) -> String {
        if seconds < 100 { return "\(seconds) s" }
        return seconds < 100 * 60 ? "\((seconds + 59) / 60) min" : "\((seconds + 3599) / 3600) h"
    }
}
