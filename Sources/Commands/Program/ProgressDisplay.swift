import Synchronization
import SystemIO

/// Says how a long step goes on, beside the events that are printed meanwhile.
final class ProgressDisplay: @unchecked Sendable {
    // Safe because it is only touched on the loop's thread.

    let loop: EventLoop
    private var output: ProgressOutput
    private var step: (() -> ProgressStep)?

    private static let interval = Duration.milliseconds(100)

    init(_ invocation: Invocation, _ loop: EventLoop) {
        self.loop = loop
        output = ProgressOutput(invocation)
    }

    /// Shows what `text` says from time to time, until ``stop()``.
    func start(_ text: @escaping () -> String) {
        start { ProgressStep(text: text()) }
    }

    /// Shows steps from time to time, until ``stop()``.
    func start(_ step: @escaping () -> ProgressStep) {
        guard output.isUseful else { return }
        self.step = step
        loop.after(ProgressDisplay.interval) { [weak self] in self?.tick() }
    }

    func stop() {
        step = nil
        output.hide()
    }

    /// Takes the line away while something is printed on the same screen.
    func pausing(_ body: () -> Void) {
        output.hide()
        body()
    }

    private func tick() {
        guard let step = step?() else { return }
        output.show(step)
        loop.after(ProgressDisplay.interval) { [weak self] in self?.tick() }
    }
}

/// A step of a long operation.
struct ProgressStep {
    var text: String
    /// The number of bytes done, and of all, if they are known.
    var done: Int?
    var total: Int?
    /// In bytes a second.
    var rate: Int?
    /// The time that the rest takes at this rate.
    var left: Duration?
}
