import CommandKit
import TerminalKit

extension Failure {
    /// What the last line of standard error is with `--json`.
    static let form = ReportForm(
        "error", "Why a command failed, on the last line of standard error",
        [
            .always("code", .text, "A stable name, finer than the exit code: area.reason"),
            .always("exit", .count, "The exit code"), .always("message", .text, "What failed and why, for people"),
            .sometimes("why", .text, "Facts that explain it, for people"),
            .always("try", .texts, "Command lines that may help"),
            .sometimes("details", .object([]), "The same facts for programs"),
        ])
}
