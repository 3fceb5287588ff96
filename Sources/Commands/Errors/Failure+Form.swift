import CommandKit
import TerminalKit

extension Failure {
    /// What the last line of standard error is with `--json`.
    static let form = ReportForm(
        "error", "An error, on the last line of standard error",
        [
            .always("code", .text, "Stable name of the error, finer than the exit code: area.reason"),
            .always("exit", .count, "Exit code"), .always("message", .text, "Failure and reason, for people"),
            .sometimes("why", .text, "Details, for people"),
            .always("try", .texts, "Commands that may help"),
            .sometimes("details", .object([]), "Details for programs"),
        ])
}
