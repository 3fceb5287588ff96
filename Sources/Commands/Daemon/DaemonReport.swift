import CommandKit
import Host
import TerminalKit

/// The report about the process that takes the commands of others.
typealias DaemonReport = ProcessStatus

extension ProcessStatus: Report {
    static let forms = [
        ReportForm(
            "daemon", "The process that runs commands for a store", plain: ["state", "pid", "command", "started_at"],
            [
                .always("state", .word(["running", "reloading", "stopped"]), "State of the process"),
                .sometimes("pid", .count, "Process id"),
                .sometimes("command", .text, "Command that started the process"),
                .sometimes("started_at", .time, "Time when the process opened the store"),
                .sometimes("since", .time, "Time when the process opened the store").kept(for: "started_at"),
                .always("version", .text, "Version of the program that prints this report"),
            ])
    ]

    func lines(_ style: ReportStyle) -> [StyledText] {
        var line = StyledText(state)
        if let pid { line += StyledText(": pid \(pid)") }
        if let command { line += StyledText(" (tacit \(command))") }
        if let since { line += " since " + style.time(since) }
        return [line]
    }
}
