import Synchronization
import SystemIO

/// Says how a long step goes on, beside the events that are printed meanwhile.
final class ProgressDisplay: @unchecked Sendable {
    // Safe because it is only touched on the loop's thread.

    let loop: EventLoop
    private var output: ProgressOutput
    private var text: (() -> String)?

    private static let interval = Duration.milliseconds(100)

    init(_ invocation: Invocation, _ loop: EventLoop) {
        self.loop = loop
        output = ProgressOutput(invocation)
    }

    /// Shows what `text` says from time to time, until ``stop()``.
    func start(_ text: @escaping () -> String) {
        guard output.isUseful else { return }
        self.text = text
        loop.after(ProgressDisplay.interval) { [weak self] in self?.tick() }
    }

    func stop() {
        text = nil
        output.hide()
    }

    /// Takes the line away while something is printed on the same screen.
    func pausing(_ body: () -> Void) {
        output.hide()
        body()
    }

    private func tick() {
        guard let text else { return }
        output.show(text())
        loop.after(ProgressDisplay.interval) { [weak self] in self?.tick() }
    }
}
