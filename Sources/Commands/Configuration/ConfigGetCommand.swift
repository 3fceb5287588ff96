import CommandKit
import TerminalKit

/// `tacit config get`
enum ConfigGetCommand {
    static let leaf: Leaf = .init(
        Command(
            "config get", "Print the value of a setting", promise: "the value was printed", store: .none,
            positionals: [ConfigCommand.key],
            examples: [
                Example("tacit config get net.onion", "What holds"),
                Example("tacit config get send.timeout --json", "And where it comes from"),
            ],
            exits: [1], reports: SettingReport.forms,
            discussion: """
                Prints what holds when the environment and the files have been read, or what is built in. If there is nothing, \
                the exit code is 1.
                """),
        purpose: { _ in "print the setting" },
        run: { invocation in
            let setting = try ConfigCommand.setting(invocation[ConfigCommand.key])
            let (text, origin) = invocation.settings.effective(setting, environment: invocation.environment)
            // Nobody else is meant to see it: a password is printed, too.
            let report = SettingReport(key: setting.key, value: text ?? setting.defaultValue, origin: origin)
            guard let value = report.value else { return .no }
            guard invocation.format == .text else {
                try invocation.print(report)
                return .ok
            }
            try invocation.output.write(verbatim: "\(value)\n")
            return .ok
        })
}
