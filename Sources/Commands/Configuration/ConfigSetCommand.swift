import CommandKit
import TerminalKit

/// `tacit config set`
enum ConfigSetCommand {
    static let value = Positional<String>(
        "VALUE", "New value; one value per line if the setting takes several", .text("VALUE"))

    static let leaf: Leaf = .init(
        Command(
            "config set", "Change a setting in the configuration file", promise: "the file has the value",
            store: .none, positionals: [ConfigCommand.key, value],
            examples: [
                Example("tacit config set net.proxy tor", "Use the Tor client of this machine"),
                Example("tacit config set send.wait delivered", "Set the default of tacit send --wait"),
                Example("tacit config set alias.hi 'send @alice hi'", "Define the alias tacit hi"),
            ],
            exits: [71, 73, 75, 77], reports: SettingReport.forms,
            discussion: """
                Write -- before a value with a leading dash: tacit config set -- alias.j '--json send'.

                The rest of the file stays unchanged: comments, order and unknown settings. The change is atomic, and \
                concurrent changes are serialised. A file with errors can be changed too.
                """),
        purpose: { _ in "change the configuration" },
        run: { invocation in
            let setting = try ConfigCommand.setting(invocation[ConfigCommand.key]), text = invocation[value]
            if let mistake = CommandTree.tacit.invalid(text, for: setting) {
                throw UsageError.invalid(mistake, setting)
            }
            try refuseHiddenAlias(setting)
            let values = setting.isRepeatable ? text.split(separator: "\n").map(String.init) : [text]
            let (file, changed) = try ConfigurationFile.change(invocation) { file in
                guard let changed = file.text.setting(setting.key, to: values) else {
                    throw Failure.settingWithControlCharacters(setting.key)
                }
                guard changed.bytes.count <= SettingsText.limit else {
                    throw Failure.settingTooLong(setting.key)
                }
                try file.replace(with: changed)
                return (file, changed)
            }
            try report(setting, changed, file, invocation)
            return .ok
        })

    /// An alias with the name of a command would never be used.
    private static func refuseHiddenAlias(_ setting: SettingDeclaration) throws(Failure) {
        let parts = setting.key.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2, parts[0] == "alias", CommandTree.tacit.root.subcommand(parts[1]) != nil
        else { return }
        throw Failure.hiddenAlias(parts[1], setting: setting.key)
    }

    private static func report(
        _ setting: SettingDeclaration, _ text: SettingsText, _ file: ConfigurationFile, _ invocation: Invocation
    ) throws {
        guard let found = Settings([(file.path, text)]).found([setting.key]) else { return }
        if invocation.format == .text {
            invocation.note(StyledText("set \(setting.key) in \(file.path):\(found.place.line)"))
        } else {
            let value = setting.shown(found.text(for: setting))
            try invocation.print(done: SettingReport(key: setting.key, value: value, origin: .setting(found.place)))
        }
        if let variable = setting.variables.first(where: { invocation.environment[$0] != nil }) {
            invocation.warn("\(variable) is set and overrides this setting")
        }
    }
}

extension UsageError {
    /// What the user typed is no value of a setting.
    fileprivate static func invalid(_ mistake: SettingsMistake.Kind, _ setting: SettingDeclaration) -> UsageError {
        guard case .invalidValue(let key, let value, let expected, _) = mistake else {
            return .unexpectedArgument(setting.key, of: ConfigSetCommand.leaf.command.path)
        }
        let meant = value.map { Suggestion.closest(to: $0, among: setting.choices) } ?? []
        return .invalidValue(.argument(key), word: value, expected: expected, suggestions: meant)
    }
}
