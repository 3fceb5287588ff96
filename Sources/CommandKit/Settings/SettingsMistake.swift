/// A mistake in a configuration file.
public struct SettingsMistake: Error, Hashable, Sendable {
    /// The path of the file.
    public let file: String
    /// The number of the line, from 1; 0 for the whole file.
    public let line: Int
    /// The kind of mistake.
    public let kind: Kind

    /// A kind of mistake.
    public enum Kind: Hashable, Sendable {
        /// The file is unusable for this reason.
        case unusable(String)
        /// Other users could change the file.
        case openToOthers
        /// The line is malformed.
        case unreadable(SettingsText.Mistake.Kind)
        /// The key is unknown. Later versions may have it.
        case unknownKey(String, suggestions: [String])
        /// The value is invalid; nil for a secret.
        case invalidValue(key: String, value: String?, expected: String, suggestions: [String])
        /// The alias leads back to itself.
        case aliasLoop(String)
        /// The alias starts with neither a command nor another alias.
        case aliasOfNothing(String, word: String, suggestions: [String])
        /// A command has the same name and takes precedence.
        case hiddenAlias(String)
    }

    /// Creates a settings mistake from its parts.
    public init(file: String, line: Int, _ kind: Kind) {
        self.file = file
        self.line = line
        self.kind = kind
    }

    /// The location in the form of compilers.
    public var place: String { line > 0 ? "\(file):\(line)" : file }

    /// True if the program can ignore the line.
    public var isHarmless: Bool {
        if case .hiddenAlias = kind { true } else { false }
    }

    /// True if a newer version may have written the line.
    public var mayBeNewer: Bool {
        if case .unknownKey = kind { true } else { false }
    }

    /// A stable name for programs.
    public var slug: String {
        switch kind {
        case .unusable, .openToOthers: "config.file"
        case .unreadable: "config.syntax"
        case .unknownKey: "config.key"
        case .invalidValue: "config.setting"
        case .aliasLoop, .aliasOfNothing, .hiddenAlias: "config.alias"
        }
    }

    /// The mistake, without capital and final period; words of the file are unchanged.
    public var sentence: String {
        switch kind {
        case .unusable(let reason): "the file cannot be read: \(reason)"
        case .openToOthers: "other users can write to the file"
        case .unreadable(let kind): kind.sentence
        case .unknownKey(let key, _): "unknown setting '\(key)'"
        case .invalidValue(let key, let value, let expected, _):
            "\(key) \(value.map { "cannot be '\($0)'" } ?? "is not valid"); expected \(expected)"
        case .aliasLoop(let name): "the alias '\(name)' refers to itself"
        case .aliasOfNothing(let name, let word, _): "the alias '\(name)' stands for '\(word)', which is not a command"
        case .hiddenAlias(let name): "the alias '\(name)' is never used: a command has the same name"
        }
    }

    /// Similar keys or values in the form of the file.
    public var suggestions: [String] {
        switch kind {
        case .unusable, .openToOthers, .unreadable, .aliasLoop, .hiddenAlias: []
        case .unknownKey(_, let suggestions), .aliasOfNothing(_, _, let suggestions): suggestions
        case .invalidValue(let key, _, _, let suggestions): suggestions.map { "\(key) = \($0)" }
        }
    }
}

extension SettingsText.Mistake.Kind {
    fileprivate var sentence: String {
        switch self {
        case .encoding: "the line is not UTF-8"
        case .controlCharacter: "the line contains a control character"
        case .section: "invalid section; expected a name such as [send] or [contact.list]"
        case .noSection: "a section such as [global] must come before this line"
        case .name: "invalid setting name: only letters, digits and _ are allowed"
        case .noEqualsSign: "invalid line; expected NAME = VALUE"
        case .quotes: "quotes must enclose the whole value"
        case .escape: "invalid escape: only \" \\ n and t may follow a backslash in quotes"
        }
    }
}

extension CommandTree {
    /// Returns all mistakes in a file, in the order of its lines.
    ///
    /// - Parameter checksValues: True to check values as well; commands check the values that they need.
    public func mistakes(in text: SettingsText, at file: String, checksValues: Bool) -> [SettingsMistake] {
        let unreadable = text.mistakes.map { SettingsMistake(file: file, line: $0.line, .unreadable($0.kind)) }
        let wrong = text.entries.compactMap { entry in
            mistake(in: entry, checksValues: checksValues).map { SettingsMistake(file: file, line: entry.line, $0) }
        }
        return wrong.isEmpty ? unreadable : (unreadable + wrong).sorted { $0.line < $1.line }
    }

    private func mistake(in entry: SettingsText.Entry, checksValues: Bool) -> SettingsMistake.Kind? {
        guard let setting = setting(named: entry.key) else {
            return .unknownKey(entry.key, suggestions: suggestions(for: entry.key))
        }
        guard checksValues else { return nil }
        if SettingKey(entry.key).section == CommandTree.aliasSection, root.subcommand(setting.name) != nil {
            return .hiddenAlias(setting.name)
        }
        return invalid(entry.value, for: setting)
    }

    /// Returns the mistake in a value of a setting, or nil for a valid one.
    public func invalid(_ text: String, for setting: SettingDeclaration) -> SettingsMistake.Kind? {
        guard !setting.accepts(text) else { return nil }
        let suggestions = setting.isSecret ? [] : Suggestion.closest(to: text, among: setting.choices)
        return .invalidValue(
            key: setting.key, value: setting.isSecret ? nil : text, expected: setting.expected, suggestions: suggestions
        )
    }
}
