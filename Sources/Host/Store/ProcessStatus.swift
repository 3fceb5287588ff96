public import ByteCoding
public import ChatCore
public import JSONCoding
import SystemIO

/// The state of a process that takes the commands of others.
public struct ProcessStatus: Hashable, Sendable {
    /// `running`, `reloading`, `stopped`.
    public let state: String
    public let pid: Int64?
    /// The command that started the process.
    public let command: String?
    /// The time when it opened the store.
    public let since: Timestamp?
    /// The version of the program that made this value.
    public let version: String

    public init(_ process: HostProcess, state: String) {
        self.state = state
        pid = Int64(ProcessEnvironment.processID)
        command = process.command
        since = process.since
        version = VersionReport.current.version
    }

    public init(_ holder: StoreLock.Holder, state: String) {
        self.state = state
        pid = holder.pid
        command = holder.command
        since = holder.since
        version = VersionReport.current.version
    }

    /// The state that another process reports.
    public init(_ json: JSONObject) {
        state = json["state"]?.string ?? ""
        pid = json["pid"]?.integer
        command = json["command"]?.string
        since = json["started_at"]?.string.flatMap { try? Timestamp(text: $0) }
        version = json["version"]?.string ?? ""
    }

    public var json: JSONObject {
        var json: JSONObject = ["v": 1, "type": "daemon"]
        json.set("state", state)
        json.set("pid", pid)
        json.set("command", command)
        json.set("started_at", since?.description)
        json.set("since", since?.description)
        json.set("version", version)
        return json
    }
}
