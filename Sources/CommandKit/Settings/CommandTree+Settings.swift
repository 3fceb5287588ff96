extension CommandTree {
    /// The section of the defaults of global options.
    static let globalSection = "global"
    /// The section of the user's aliases.
    static let aliasSection = "alias"

    /// All keys with their declarations, in the order of the manual: the settings of the program, the global options,
    /// and the options of each command. Aliases are not included. A global option may also be in the section of a
    /// command.
    public var knownSettings: [SettingDeclaration] {
        let global = root.options.compactMap { setting(of: $0, in: root) }
        let commands = root.family.filter { !$0.isNoun && !$0.isHidden }
        return settings + global
            + commands.flatMap { command in command.options.compactMap { setting(of: $0, in: command) } }
    }

    /// Returns the declaration of a key, or nil for an unknown one.
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

    /// Returns the alias name of a key, or nil for another key.
    public func aliasName(in key: String) -> String? {
        let prefix = "\(CommandTree.aliasSection)."
        return key.hasPrefix(prefix) ? String(key.dropFirst(prefix.count)) : nil
    }

    /// Returns known keys similar to an unknown one.
    public func suggestions(for key: String) -> [String] {
        let parts = SettingKey(key)
        // Either half may be mistyped.
        let near = knownSettings.map(\.key).filter { known in
            let other = SettingKey(known)
            return other.section == parts.section || other.name == parts.name
        }
        let meant = Suggestion.closest(to: key, among: near)
        return meant.isEmpty ? near.filter { SettingKey($0).name == parts.name }.prefix(2).map(\.self) : meant
    }

    /// Returns the global option whose default the setting is for all commands, or nil.
    public func globalOption(of setting: SettingDeclaration) -> OptionDeclaration? {
        guard setting.section == CommandTree.globalSection else { return nil }
        return root.options.first { CommandTree.settingName(of: $0) == setting.name }
    }

    /// Returns the keys that set an option, highest priority first.
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
