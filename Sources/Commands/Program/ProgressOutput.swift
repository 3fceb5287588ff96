import CommandKit
import JSONCoding
import SystemIO
import TerminalKit

/// Where a long step says how far it has come: a line that is written over on a terminal, objects for programs, or nowhere.
struct ProgressOutput: ~Copyable {
    private let mode: Mode
    private let errors: Output
    private let command: String
    private var line: ProgressLine
    private var last = ""

    private enum Mode {
        case nowhere, line, objects
    }

    init(_ invocation: Invocation) {
        let traits = invocation.errors.traits, errors = invocation.errors
        self.errors = errors
        command = invocation.commandName
        mode =
            switch invocation[GlobalOptions.progress] {
            case .json: .objects
            case .never: .nowhere
            case .auto:
                traits.isTerminal && !invocation.isQuiet && invocation.format == .text ? .line : .nowhere
            }
        // Of a terminal elsewhere it is known how wide it was when the command began.
        let isHere = invocation.host == nil
        line = ProgressLine(on: errors) {
            (isHere ? Terminal(descriptor: 2).columns : nil) ?? traits.width ?? 80
        }
    }

    static let form = ReportForm(
        "progress", "Progress of a long operation, on standard error with --progress json",
        [
            .always("command", .text, "Command that is running"),
            .always("message", .text, "Current step, in words that may change"),
            .sometimes("done", .size, "Number of bytes done"),
            .sometimes("total", .size, "Total number of bytes"),
            .sometimes("rate", .size, "Number of bytes per second"),
            .sometimes("left_ms", .duration, "Time that the rest takes at this rate"),
        ])

    /// Whether anybody sees it.
    var isUseful: Bool { mode != .nowhere }

    /// Shows a text; for programs only what differs from the last one, and with the numbers that are known.
    mutating func show(_ text: String, done: Int? = nil, of total: Int? = nil) {
        show(ProgressStep(text: text, done: done, total: total))
    }

    mutating func show(_ step: ProgressStep) {
        switch mode {
        case .nowhere: break
        case .line: line.show(StyledText(step.text, .muted))
        case .objects:
            guard step.text != last else { return }
            last = step.text
            var json = JSONObject(type: "progress")
            json.set("command", command)
            json.set("message", step.text)
            json.set("done", step.done)
            json.set("total", step.total)
            json.set("rate", step.rate)
            json.set("left_ms", step.left.map { Int($0 / .milliseconds(1)) })
            // What cannot be said there is lost: nothing depends on it.
            try? errors.write(json: json)
            try? errors.flush()
        }
    }

    mutating func hide() {
        if case .line = mode { line.hide() }
    }
}
