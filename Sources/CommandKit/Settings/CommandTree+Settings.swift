extension CommandTree {
    /// The section that holds the defaults of the options that every command has.
    static let globalSection = "global"
    /// The section that holds words of the user's own.
    static let aliasSection = "alias"

    /// All keys with their meaning, in the order of the manual: the settings of the program, the global options, and the
    /// options of each command. Aliases have names of their own, and a global option may stand in the section of a command.
    public var knownSettings: [SettingDeclaration] {
        let global = root.options.compactMap { setting(of: $0, in: root) }
        let commands = root.family.filter { !$0.isNoun && !$0.isHidden }
        return settings + global
            + commands.flatMap { command in command.options.compactMap { setting(of: $0, in: command) } }
    }

    /// What a key means; nil if it means nothing.
    public func setting(named key: String) -> SettingDeclaration? {
        if let own = settings.first(where: { $0.key == key }) { return own }
        let parts = SettingKey(key)
        switch parts.section {
        case CommandTree.aliasSection: return alias(parts.name)
        case CommandTree.globalSection: return option(parts.name, of: root)
        default:
            let path = parts.section.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard let command = command(at: path), !command.isNoun, !command.isHidden else { return nil }
            return option(parts.name, of: command)
        }
    }

    /// The name of the alias that a key is meant to set; nil if it is meant for something else.
    public func aliasName(in key: String) -> String? {
        let prefix = "\(CommandTree.aliasSection)."
        return key.hasPrefix(prefix) ? String(key.dropFirst(prefix.count)) : nil
    }

    /// Keys that may have been meant by one that means nothing.
    public func suggestions(for key: String) -> [String] {
        let parts = SettingKey(key)
        // Either half may be the one that was mistyped.
        let near = knownSettings.map(\.key).filter { known in
            let other = SettingKey(known)
            return other.section == parts.section || other.name == parts.name
        }
        let meant = Suggestion.closest(to: key, among: near)
        return meant.isEmpty ? near.filter { SettingKey($0).name == parts.name }.prefix(2).map(\.self) : meant
    }

    /// The option whose default a setting is, if every command has it and the setting is for all of them.
    public func globalOption(of setting: SettingDeclaration) -> OptionDeclaration? {
        guard setting.section == CommandTree.globalSection else { return nil }
        return root.options.first { CommandTree.settingName(of: $0) == setting.name }
    }

    /// The keys whose values an option takes, the strongest first.
    func keys(of option: OptionDeclaration, in command: Command) -> [String] {
        let name = CommandTree.settingName(of: option)
        let own = command.path.isEmpty ? [] : [command.path.joined(separator: ".") + ".\(name)"]
        return own + (root.options.contains { $0.name == option.name } ? ["\(CommandTree.globalSection).\(name)"] : [])
    }

    // MARK: - Parts

    private func option(_ name: String, of command: Command) -> SettingDeclaration? {
        let visible = command.path.isEmpty ? root.options : command.options + root.options
        return visible.first { CommandTree.settingName(of: $0) == name }.flatMap { setting(of: $0, in: command) }
    }

    private func setting(of option: OptionDeclaration, in command: Command) -> SettingDeclaration? {
        guard option.isSettable, let key = keys(of: option, in: command).first else { return nil }
        return SettingDeclaration(key, option, variables: variables(of: option, in: command))
    }

    private func alias(_ name: String) -> SettingDeclaration? {
        guard SettingsLineReader.isName(name), !name.hasPrefix("-"), !name.hasPrefix("_") else { return nil }
        return SettingDeclaration(
            "\(CommandTree.aliasSection).\(name)", "Words that '\(program) \(name)' stands for", metavariable: "WORDS",
            expected: "words as a shell reads them", accepts: { ShellLine.words(of: $0)?.isEmpty == false })
    }

    private static func settingName(of option: OptionDeclaration) -> String {
        option.name.split(separator: "-", omittingEmptySubsequences: false).joined(separator: "_")
    }
}
