import CommandKit
import TerminalKit

/// `tacit config list`
enum ConfigListCommand {
    static let origin = Option<Bool>(flag: "origin", "Show the source of each value", isCommon: true)
    static let all = Option<Bool>(flag: "all", "List built-in defaults too", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "config list", "List settings from the environment and the files", promise: "the list was printed",
            store: .none, options: [origin, all],
            examples: [
                Example("tacit config list --origin", "List settings and their sources"),
                Example("tacit config list --all", "List all settings"),
            ],
            reports: SettingReport.forms,
            discussion: """
                Proxy passwords are left out. Aliases are included. With --origin each line ends with its source: the option, \
                the variable, or the file and line.
                """),
        purpose: { _ in "list the configuration" },
        run: { invocation in
            try invocation.print(list: reports(invocation))
            return .ok
        })

    /// What is set, or everything, in the order of the manual; then what has no place there.
    private static func reports(_ invocation: Invocation) -> [SettingReport] {
        let tree = CommandTree.tacit, known = tree.knownSettings
        var listed = known.map { report($0, invocation) }
        if !invocation[all] { listed = listed.filter { $0.origin != .builtIn } }
        let keys = Set(known.map(\.key))
        let others = invocation.settings.all.filter { !keys.contains($0.place.key) }.map { found in
            let setting = tree.setting(named: found.place.key)
            return SettingReport(
                key: found.place.key, value: setting.map(found.text) ?? found.values.last,
                origin: .setting(found.place))
        }
        return (listed + others).map { report in
            var report = report
            report.showsOrigin = invocation[origin]
            return report
        }
    }

    private static func report(_ setting: SettingDeclaration, _ invocation: Invocation) -> SettingReport {
        var report = SettingReport(setting, invocation)
        // An option of this very run is nearer than anything else.
        guard let option = CommandTree.tacit.globalOption(of: setting) else { return report }
        if let written = invocation.parsed.writtenText(of: option) {
            report = SettingReport(key: setting.key, value: written, origin: .commandLine)
        }
        return report
    }
}
