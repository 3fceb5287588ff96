import Synchronization
import SystemIO
import TerminalKit

/// Says on a terminal how a long step goes on, beside the events that are printed meanwhile.
final class ProgressDisplay: @unchecked Sendable {
    // Safe because it is only touched on the loop's thread.

    let loop: EventLoop
    private var line: ProgressLine
    private let isUseful: Bool
    private var text: (() -> String)?

    private static let interval = Duration.milliseconds(100)

    init(_ invocation: Invocation, _ loop: EventLoop) {
        self.loop = loop
        let traits = invocation.errors.traits
        isUseful = traits.isTerminal && !invocation.isQuiet && invocation.format == .text
        // Of a terminal elsewhere it is known how wide it was when the command began.
        let isHere = invocation.host == nil
        line = ProgressLine(on: invocation.errors) {
            (isHere ? Terminal(descriptor: 2).columns : nil) ?? traits.width ?? 80
        }
    }

    /// Shows what `text` says from time to time, until ``stop()``.
    func start(_ text: @escaping () -> String) {
        guard isUseful else { return }
        self.text = text
        loop.after(ProgressDisplay.interval) { [weak self] in self?.tick() }
    }

    func stop() {
        text = nil
        line.hide()
    }

    /// Takes the line away while something is printed on the same screen.
    func pausing(_ body: () -> Void) {
        line.hide()
        body()
    }

    private func tick() {
        guard let text else { return }
        line.show(StyledText(text(), .muted))
        loop.after(ProgressDisplay.interval) { [weak self] in self?.tick() }
    }
}
