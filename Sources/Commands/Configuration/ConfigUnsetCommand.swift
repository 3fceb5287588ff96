import CommandKit
import TerminalKit

/// `tacit config unset`
enum ConfigUnsetCommand {
    static let leaf: Leaf = .init(
        Command(
            "config unset", "Remove a setting from the configuration file",
            promise: "the file does not have the setting",
            store: .none, positionals: [ConfigCommand.key],
            examples: [Example("tacit config unset net.proxy", "Return to the built-in default")],
            exits: [71, 73, 75, 77], reports: SettingReport.forms,
            discussion: "Unknown keys can be removed too, if they are in the file."),
        purpose: { _ in "change the configuration" },
        run: { invocation in
            let key = invocation[ConfigCommand.key], file = try ConfigurationFile(invocation)
            guard file.text.entries.contains(where: { $0.key == key }) else {
                let setting = try ConfigCommand.setting(key)
                invocation.note(StyledText("\(setting.key) was not set in \(file.path)"))
                return .ok
            }
            try ConfigurationFile.change(invocation) { try $0.replace(with: $0.text.removing(key)) }
            if invocation.format == .text {
                invocation.note(StyledText("removed \(UntrustedText(key).singleLine) from \(file.path)"))
            } else if let setting = CommandTree.tacit.setting(named: key) {
                let left = Configuration(invocation.environment).settings
                let (text, origin) = left.effective(setting, environment: invocation.environment)
                let value = text.map(setting.shown) ?? setting.defaultValue
                try invocation.print(done: SettingReport(key: key, value: value, origin: origin))
            }
            return .ok
        })
}
