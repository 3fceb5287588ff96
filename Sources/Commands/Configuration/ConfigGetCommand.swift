import CommandKit
import TerminalKit

/// `tacit config get`
enum ConfigGetCommand {
    static let leaf: Leaf = .init(
        Command(
            "config get", "Print the value of a setting", promise: "the value was printed", store: .none,
            positionals: [ConfigCommand.key],
            examples: [
                Example("tacit config get net.onion", "Print the value in effect"),
                Example("tacit config get send.timeout --json", "Print the value and its source"),
            ],
            exits: [1], reports: SettingReport.forms,
            discussion: """
                Prints the value in effect after reading the environment and the files, or the built-in default. If there is \
                no value, the exit code is 1.
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
