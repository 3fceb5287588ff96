/// A key of the configuration files that is no option of a command, and what fetches its value from ``Settings``.
///
/// As with ``Option`` the type of the value says how it behaves: an optional may be missing, anything else has a default.
public struct Setting<Value: Sendable>: DeclaresSetting {
    public let declaration: SettingDeclaration
    let value: @Sendable (String?) -> Value
}

/// A setting whatever its value is, for lists.
public protocol DeclaresSetting: Sendable {
    var declaration: SettingDeclaration { get }
}

extension Setting where Value == Bool {
    /// A choice between yes and no.
    public init(_ key: String, _ abstract: String, default defaultValue: Bool, variables: [String] = []) {
        declaration = SettingDeclaration(
            key, abstract, metavariable: "yes|no", expected: YesOrNo.expected, choices: YesOrNo.choices,
            defaultText: defaultValue ? "yes" : "no", variables: variables, accepts: { YesOrNo.value(of: $0) != nil })
        value = { $0.flatMap(YesOrNo.value) ?? defaultValue }
    }
}

extension Setting {
    /// A text that may be missing; `defaultText` is what holds then, if that can be set, too.
    ///
    /// - Parameters:
    ///   - variables: The environment variables that win over it, the strongest first.
    ///   - fallbackVariable: The one that counts where no file says anything.
    ///   - isSecret: Whether a value must not appear in messages.
    ///   - shown: The text as it may be seen by others who look at the screen.
    public init<Word>(
        _ key: String, _ abstract: String, _ kind: ValueKind<Word>, defaultText: String? = nil,
        variables: [String] = [], fallbackVariable: String? = nil, isSecret: Bool = false,
        shown: @escaping @Sendable (String) -> String = { $0 }
    ) where Value == Word? {
        declaration = SettingDeclaration(
            key, abstract, metavariable: kind.form.metavariable, expected: kind.form.expected,
            choices: kind.form.choices, defaultText: defaultText, variables: variables,
            fallbackVariable: fallbackVariable, isSecret: isSecret || kind.form.isSecret, shown: shown,
            accepts: { kind.read($0) != nil })
        value = { $0.flatMap(kind.read) }
    }
}

/// A key of the configuration files as data: what reading, listing, checking, completion and the manual need to know of it.
public struct SettingDeclaration: Sendable {
    /// The section and the name in it: `net.proxy`.
    public let key: String
    public let abstract: String
    /// What stands for the value in the manual.
    public let metavariable: String
    /// What a value must be, as the end of the sentence "expected ...".
    public let expected: String
    /// Every allowed word, or nothing if the words are not a closed list.
    public let choices: [String]
    /// What holds when nothing is set, as a value or in words.
    public let defaultText: String?
    /// The same if it is a value.
    public private(set) var defaultValue: String?
    /// The environment variables that win over it, the strongest first.
    public let variables: [String]
    /// The environment variable that counts where no file says anything: one that is meant for all programs.
    public let fallbackVariable: String?
    /// Whether it may be set in several lines.
    public let isRepeatable: Bool
    /// Whether a value must not appear in messages.
    public let isSecret: Bool
    /// The text as it may be seen by others who look at the screen.
    public let shown: @Sendable (String) -> String
    /// Whether a text is a value for it; a repeatable one takes one value a line.
    public let accepts: @Sendable (String) -> Bool

    init(
        _ key: String, _ abstract: String, metavariable: String, expected: String, choices: [String] = [],
        defaultText: String? = nil, variables: [String] = [], fallbackVariable: String? = nil,
        isRepeatable: Bool = false, isSecret: Bool = false,
        shown: @escaping @Sendable (String) -> String = { $0 }, accepts: @escaping @Sendable (String) -> Bool
    ) {
        self.key = key
        self.abstract = abstract
        self.metavariable = metavariable
        self.expected = expected
        self.choices = choices
        self.defaultText = defaultText
        defaultValue = defaultText
        self.variables = variables
        self.fallbackVariable = fallbackVariable
        self.isRepeatable = isRepeatable
        self.isSecret = isSecret
        self.shown = shown
        self.accepts = accepts
    }

    /// The default of an option.
    init(_ key: String, _ option: OptionDeclaration, variables: [String]) {
        let isWord = option.valueForm != nil
        self.init(
            key, option.abstract,
            metavariable: option.valueForm?.metavariable ?? (option.form == .count ? "N" : "yes|no"),
            expected: option.expected,
            choices: option.valueForm?.choices ?? (option.form == .count ? [] : YesOrNo.choices),
            defaultText: option.defaultText ?? (isWord ? nil : option.form == .count ? "0" : "no"),
            variables: variables, isRepeatable: isWord && option.isRepeatable,
            isSecret: option.valueForm?.isSecret ?? false, accepts: { option.given(by: $0) != nil })
        if option.defaultsToWords { defaultValue = nil }
    }

    /// The section of the key.
    public var section: String { SettingKey(key).section }
    /// The name of the key in its section.
    public var name: String { SettingKey(key).name }
}

/// A key, taken apart at its last dot.
struct SettingKey {
    let section: String
    let name: String

    init(_ key: String) {
        let dot = key.lastIndex(of: ".")
        section = dot.map { String(key[..<$0]) } ?? ""
        name = dot.map { String(key[key.index(after: $0)...]) } ?? key
    }
}

/// The words for yes and no.
enum YesOrNo {
    static let expected = "yes or no"
    static let choices = ["yes", "no"]

    static func value(of text: String) -> Bool? {
        switch text.lowercased() {
        case "1", "yes", "true", "on": true
        case "0", "no", "false", "off": false
        default: nil
        }
    }
}
