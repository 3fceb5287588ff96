import ByteCoding
import CommandKit
import JSONCoding
import Relay
import SMPProtocol
import TerminalKit

/// `tacit relay status`
enum RelayStatusCommand {
    static let leaf: Leaf = .init(
        Command(
            "relay status", "Show state, contents, free disk space and counters",
            promise: "the status was printed", store: .none, positionals: [RelayCommand.folder],
            options: [StatusCommand.check],
            examples: [
                Example("tacit relay status /srv/relay", "Show the status"),
                Example("tacit relay status /srv/relay --json | jq .messages", "Print the number of stored messages"),
                Example("tacit relay status /srv/relay --check || mail -s relay ops", "Send an alert from cron"),
            ],
            exits: [1, 66, 74, 77, 78], reports: RelayStatusReport.forms,
            discussion: """
                Reads the files of the relay without contacting the process. Counters are at most one minute old.

                With --check the exit code is 1 if there is a problem: stopped; silent (no new counters for five minutes); \
                disk (free space below 'reserve_megabytes'); or a limit of the store (queues, messages, size, files).
                """),
        purpose: { "show the status of the relay in \(UntrustedText($0[RelayCommand.folder]).quoted)" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let state = try RelayState(of: invocation[RelayCommand.folder])
        try invocation.print(RelayStatusReport(state: state))
        return invocation[StatusCommand.check] && !state.problems.isEmpty ? .no : .ok
    }
}

/// What a relay is and holds. Its password is no part of it.
private struct RelayStatusReport: Report {
    let state: RelayState

    static let forms = [
        ReportForm(
            "relay-status", "Status of a relay", plain: ["state", "queues", "messages", "address"],
            [
                .always("state", .word(["running", "stopped"]), "State of the relay"),
                .sometimes("pid", .count, "Process id"),
                .always("address", .text, "Address for clients, without the password"),
                .always("queues", .count, "Number of queues"),
                .always("queues_used_today", .count, "Number of queues used today (UTC)"),
                .always("queues_used_this_week", .count, "Number of queues used in the last seven days"),
                .always("queues_used_this_month", .count, "Number of queues used in the last 30 days"),
                .always("messages", .count, "Number of stored messages"),
                .always("size", .size, "Size of the database"),
                .sometimes("files_address", .text, "Address for files, without the password"),
                .sometimes("files", .count, "Number of stored file chunks, if the relay serves files"),
                .sometimes("files_announced", .count, "Number of file chunks that are not uploaded yet"),
                .sometimes("files_size", .size, "Size of the stored file chunks"),
                .sometimes("disk_free", .size, "Free disk space"),
                .always("disk_reserve", .size, "Free disk space below which new queues and messages are refused"),
                .always("problems", .texts, "Reasons for --check to fail: \(problems)"),
                .sometimes("started_at", .time, "Time of the last start"),
                .sometimes("counted_at", .time, "Time of the last counter update"),
                .sometimes("started", .time, "Time of the last start").kept(for: "started_at"),
                .sometimes("counted", .time, "Time of the last counter update").kept(for: "counted_at"),
                .sometimes("now", .counts, "Current values, if the relay runs"),
                .sometimes("since_start", .counts, "Counters since the last start"),
                .sometimes("in_all", .counts, "Counters of all time"),
            ])
    ]

    private static let problems = RelayState.Problem.allCases.map(\.rawValue).joined(separator: ", ")

    private var isRunning: Bool { state.holder != nil }

    var json: JSONObject {
        var json = JSONObject(type: "relay-status")
        json.set("state", isRunning ? "running" : "stopped")
        json.set("pid", state.holder?.processID)
        json.set("address", state.address.address.description)
        json.set("files_address", state.address.fileAddress?.text(scheme: .xftp))
        json.set("queues", state.contents.queues)
        json.set("queues_used_today", state.contents.usedToday)
        json.set("queues_used_this_week", state.contents.usedThisWeek)
        json.set("queues_used_this_month", state.contents.usedThisMonth)
        json.set("messages", state.contents.messages)
        json.set("size", state.contents.size)
        if let files = state.files {
            json.set("files", files.chunks)
            json.set("files_announced", files.announced)
            json.set("files_size", files.bytes)
        }
        json.set("disk_free", state.freeSpace)
        json.set("disk_reserve", state.reserve)
        json.set("problems", state.problems.map(\.rawValue))
        guard let activity = state.activity else { return json }
        json.set("started_at", activity.started.description)
        json.set("counted_at", activity.written.description)
        json.set("started", activity.started.description)
        json.set("counted", activity.written.description)
        if isRunning { json["now"] = .object(object(activity.current.gauges)) }
        json["since_start"] = .object(counters(activity.current))
        json["in_all"] = .object(counters(activity.total))
        return json
    }

    private func counters(_ statistics: RelayStatistics) -> JSONObject {
        object(RelayStatistics.counters.map { ($0.name, statistics[keyPath: $0.path]) })
    }

    private func object(_ values: [(name: String, value: Int)]) -> JSONObject {
        var object: JSONObject = [:]
        for (name, value) in values { object.set(name, value) }
        return object
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        var head = Table([Table.Column(""), Table.Column("", isFlexible: true)])
        var counts = Table([Table.Column(""), Table.Column("", .right), Table.Column("", isFlexible: true)])
        func say(_ name: String, _ value: StyledText) { head.add([StyledText(name, .muted), value]) }
        func count(_ name: String, _ value: Int, _ note: String) {
            counts.add([StyledText(name, .muted), StyledText("\(value)"), StyledText(note, .muted)])
        }
        let process = state.holder?.processID.map { ", pid \($0)" } ?? ""
        say("relay", isRunning ? StyledText("running\(process)") : StyledText("stopped", .warning))
        say("address", StyledText(state.address.address.description))
        if let files = state.address.fileAddress { say("files", StyledText(files.text(scheme: .xftp))) }
        if let activity = state.activity {
            say("started", style.time(activity.started))
            say("counted", style.time(activity.written))
        }
        if let free = state.freeSpace {
            let text = "\(free >> 20) MB free, reserve \(state.reserve >> 20) MB"
            say("disk", state.problems.contains(.disk) ? StyledText(text, .warning) : StyledText(text))
        }
        for problem in state.problems where problem != .stopped { say("problem", StyledText(problem.words, .warning)) }
        count("queues", state.contents.queues, "\(state.contents.usedThisMonth) used in 30 days")
        count("messages", state.contents.messages, "waiting")
        count("bytes", state.contents.size, "in the database")
        if let files = state.files {
            count("file chunks", files.chunks, "stored, \(files.announced) announced")
            count("file bytes", files.bytes, "stored")
        }
        if let activity = state.activity {
            if isRunning { for (name, value) in activity.current.gauges { count(words(name), value, "now") } }
            let total = activity.total
            for counter in RelayStatistics.counters where total[keyPath: counter.path] > 0 {
                count(
                    words(counter.name), activity.current[keyPath: counter.path],
                    "of \(total[keyPath: counter.path]) total")
            }
        }
        return [head, counts].flatMap { $0.lines(width: style.width, withTitles: false) }
    }

    private func words(_ name: String) -> String {
        name.split(separator: "_").joined(separator: " ")
    }
}

extension RelayState.Problem {
    fileprivate var words: String {
        switch self {
        case .stopped: "the relay is stopped"
        case .silent: "the process has written no counters for five minutes"
        case .disk: "the disk is nearly full: new queues and messages are refused"
        case .queues: "the limit 'queues' is reached: new queues are refused"
        case .messages: "the limit 'messages' is reached: new messages are refused"
        case .files: "the limit 'file_megabytes' is reached: new files are refused"
        case .size: "the limit 'store_megabytes' is reached: new queues and messages are refused"
        }
    }
}
