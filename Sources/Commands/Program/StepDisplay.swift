import SystemIO
import TerminalKit

/// Says on a terminal how far a long step has come that nothing else happens beside: whoever does the step calls.
final class StepDisplay {
    private var line: ProgressLine
    private let isUseful: Bool

    init(_ invocation: Invocation) {
        let traits = invocation.errors.traits
        isUseful = traits.isTerminal && !invocation.isQuiet && invocation.format == .text
        line = ProgressLine(on: invocation.errors, width: { Terminal(descriptor: 2).columns ?? traits.width ?? 80 })
    }

    /// Shows a text, if the step takes longer than a moment.
    func show(_ text: String) {
        if isUseful { line.show(StyledText(text, .muted)) }
    }

    func hide() {
        line.hide()
    }
}
