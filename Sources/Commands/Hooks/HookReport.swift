import ChatCore
import CommandKit
import JSONCoding
import SystemIO
import TerminalKit

/// A hook, and what it has yet to be told; or a file among the hooks that is none.
struct HookReport: Report {
    /// The name of the file.
    let name: String
    let path: String
    /// Nil for a file that is no hook.
    let state: HookFolder.State?
    let runs: [HookRun]

    init(_ hook: Hook, in folder: HookFolder, runs: [HookRun]) {
        name = hook.rawValue
        path = folder.path(of: hook)
        state = folder.state(of: hook)
        self.runs = runs.filter { $0.call.hook == hook.rawValue }
    }

    init(stranger name: String, in folder: HookFolder) {
        self.name = name
        path = "\(folder.path)/\(name)"
        state = nil
        runs = []
    }

    static let forms = [
        ReportForm(
            "hook", "A hook, or another file in the folder of hooks",
            plain: ["hook", "state", "waiting", "failed", "path"],
            [
                .always("hook", .text, "Name of the file"),
                .always("path", .text, "Path of the hook"),
                .always("state", .word(states), "State of the hook; unknown for a file with a name of no hook"),
                .sometimes("reason", .text, "Reason for the state ignored"),
                .always("waiting", .count, "Number of pending runs"),
                .always(
                    "failed", .count,
                    "Number of dropped events: after four attempts, or over 1,000 pending runs in one chat"),
                .sometimes("problem", .text, "Last error"),
                .sometimes("ids", .texts, "Ids of dropped events"),
            ])
    ]
    static let columns = [
        Table.Column("HOOK"), Table.Column("STATE"), Table.Column("WAITING", .right),
        Table.Column("FAILED", .right), Table.Column("PROBLEM", isFlexible: true),
    ]
    private static let states = ["missing", "ready", "ignored", "unknown"]

    private var word: String {
        switch state {
        case .missing: "missing"
        case .ready: "ready"
        case .ignored: "ignored"
        case nil: "unknown"
        }
    }

    private var reason: String? {
        switch state {
        case .missing, .ready: nil
        case .ignored(let fault): fault.words
        case nil:
            "no hook has this name" + (Hook.closest(to: name).map { "; did you mean \($0.rawValue)?" } ?? "")
        }
    }

    private var failed: [HookRun] { runs.filter(\.isGivenUp) }
    private var problem: String? { runs.compactMap(\.problem).last }

    var json: JSONObject {
        var json = JSONObject(type: "hook")
        json.set("hook", name)
        json.set("path", path)
        json.set("state", word)
        json.set("reason", reason)
        json.set("waiting", runs.count - failed.count)
        json.set("failed", failed.count)
        json.set("problem", problem)
        let ids = failed.compactMap(\.call.objectID)
        if !ids.isEmpty { json["ids"] = .array(ids.map { .string($0) }) }
        return json
    }

    func cells(_ style: ReportStyle) -> [StyledText] {
        [
            StyledText(UntrustedText(name).singleLine, .name), StyledText(word, reason == nil ? .muted : .warning),
            StyledText("\(runs.count - failed.count)"), StyledText("\(failed.count)"),
            StyledText(reason ?? problem ?? ""),
        ]
    }
}

/// Where hooks are.
struct HookPathReport: Report {
    let path: String

    static let forms = [
        ReportForm(
            "hook-path", "The folder of hooks", plain: ["path"],
            [.always("path", .text, "Path of the folder, which need not exist")])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "hook-path")
        json.set("path", path)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] { [StyledText(path)] }
}

/// How a trial of a hook ended.
struct HookTestReport: Report {
    let hook: Hook
    let ending: HookEnding

    static let forms = [
        ReportForm(
            "hook-test", "Result of a hook test", plain: ["hook", "ok", "status"],
            [
                .always("hook", .word(Hook.allCases.map(\.rawValue)), "Name of the hook"),
                .always("ok", .flag, "True if the hook exited with 0"),
                .sometimes("status", .count, "Exit code of the hook"),
                .sometimes("signal", .count, "Signal that ended the hook"),
                .sometimes("problem", .text, "Reason why the hook did not start, or that it timed out"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "hook-test")
        json.set("hook", hook.rawValue)
        json.set("ok", ending.isGood)
        switch ending {
        case .ended(.exited(let code)): json.set("status", code)
        case .ended(.signalled(let number)): json.set("signal", number)
        case .late, .unstarted: json.set("problem", ending.words)
        }
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        [StyledText(hook.rawValue, .name) + StyledText(" \(ending.words)", ending.isGood ? .success : .warning)]
    }
}
