import ByteCoding
import ChatCore
import CommandKit
import JSONCoding
import SystemIO
import TerminalKit

/// The process that takes the commands of others.
struct DaemonReport: Report {
    let state: String
    let pid: Int64?
    let command: String?
    let since: Timestamp?
    let version: String

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

    init(_ process: HostProcess, state: String) {
        self.state = state
        pid = Int64(ProcessEnvironment.processID)
        command = process.command
        since = process.since
        version = VersionReport.current.version
    }

    init(_ holder: StoreLock.Holder, state: String) {
        self.state = state
        pid = holder.pid
        command = holder.command
        since = holder.since
        version = VersionReport.current.version
    }

    /// What another process says of itself.
    init(_ json: JSONObject) {
        state = json["state"]?.string ?? ""
        pid = json["pid"]?.integer
        command = json["command"]?.string
        since = json["started_at"]?.string.flatMap { try? Timestamp(text: $0) }
        version = json["version"]?.string ?? ""
    }

    var json: JSONObject {
        var json = JSONObject(type: "daemon")
        json.set("state", state)
        json.set("pid", pid)
        json.set("command", command)
        json.set("started_at", since?.description)
        json.set("since", since?.description)
        json.set("version", version)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        var line = StyledText(state)
        if let pid { line += StyledText(": pid \(pid)") }
        if let command { line += StyledText(" (tacit \(command))") }
        if let since { line += " since " + style.time(since) }
        return [line]
    }
}
