import CommandKit
import SystemIO
import TerminalKit

/// What starts tacit for a mode, as it is and as it is to be.
struct NotifySetup {
    let mode: NotifyMode
    private let invocation: Invocation
    private let units: UserUnits

    init(_ invocation: Invocation, _ mode: NotifyMode) throws {
        self.mode = mode
        self.invocation = invocation
        units = try UserUnits(invocation)
    }

    /// What this program has installed.
    func installed() throws -> NotifyModeCommand.Starter? {
        if !units.installed.isEmpty { return .systemd }
        return try table()?.hasBlock == true ? .cron : nil
    }

    /// The crontab of the user; nil where there is no cron.
    private func table() throws -> CronTable? {
        try SystemTool("crontab", invocation).map { CronTable(try $0.crontab()) }
    }

    /// What is going to be written.
    func plan(_ starter: NotifyModeCommand.Starter) throws -> NotifyPlan {
        let place = try ServicePlace(invocation)
        switch starter {
        case .systemd:
            let files = UnitFile.units(for: mode, place)
            guard !files.isEmpty else { throw Failure.installationOfStoredOff }
            return .units(files, units)
        case .cron:
            guard mode.kind != .off else { throw Failure.installationOfStoredOff }
            guard mode.kind == .periodic else {
                throw Failure.daemonFromCron
            }
            guard let line = CronTable.line(mode, place) else {
                throw Failure.intervalNotForCron(mode.interval.inWords)
            }
            return .cron(line, SystemTool("crontab", invocation), try table() ?? CronTable([]))
        }
    }

    /// Removes what was installed, except what a plan is going to replace.
    func removeOthers(than plan: NotifyPlan?) throws {
        var kept: Set<String> = []
        if case .units(let files, _) = plan { kept = Set(files.map(\.name)) }
        try units.remove(units.installed.filter { !kept.contains($0) })
        if case .cron = plan { return }
        guard let table = try table(), table.hasBlock, let tool = SystemTool("crontab", invocation) else { return }
        let rest = table.withoutBlock.bytes
        try rest.isEmpty ? tool.run(["-r"]) : tool.run(["-"], input: rest)
    }
}

/// Something that is going to be installed.
enum NotifyPlan {
    case units([UnitFile], UserUnits)
    /// A line for the table; the program is nil where there is no cron.
    case cron(String, SystemTool?, CronTable)

    /// The files, or the block of the crontab, with where they go.
    var files: [(path: String, text: String)] {
        switch self {
        case .units(let files, let units): files.map { (units.path(of: $0.name), UserUnits.mark + $0.text) }
        case .cron(let line, _, _): [("crontab", CronTable.block(line))]
        }
    }

    /// What is run then, as it would be typed.
    var commands: [String] {
        switch self {
        case .units(let files, _):
            UserUnits.commands(starting: files.map(\.name)).map { "systemctl " + $0.joined(separator: " ") }
        case .cron: ["crontab -"]
        }
    }

    /// All of it, for people.
    var lines: [StyledText] {
        files.flatMap { file in
            [StyledText("writes \(UntrustedText(file.path)):", .muted)]
                + file.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
                    StyledText("  " + UntrustedText(String($0)).singleLine)
                }
        } + commands.map { StyledText("runs: \($0)", .muted) }
    }

    /// Throws if it cannot be carried out.
    func check() throws {
        switch self {
        case .units(let files, let units): try units.check(files)
        case .cron(_, nil, _):
            throw Reason.noCrontab
        case .cron: break
        }
    }

    /// Writes it. Returns whether it works from now on.
    func carryOut() throws -> Bool {
        switch self {
        case .units(let files, let units): return try units.install(files)
        case .cron(let line, let tool, let table):
            try tool?.run(["-"], input: table.with(block: line).bytes)
            return true
        }
    }
}
