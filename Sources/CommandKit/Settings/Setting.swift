/// A key of the configuration files that is not an option, and the key to its value in ``Settings``.
///
/// As with ``Option`` the type of the value decides on the behaviour: an optional may be missing, any other type has a
/// default.
public struct Setting<Value: Sendable>: DeclaresSetting {
    /// The declaration as data.
    public let declaration: SettingDeclaration
    let value: @Sendable (String?) -> Value
}

/// A setting with a value of any type, for lists.
public protocol DeclaresSetting: Sendable {
    /// The declaration as data.
    var declaration: SettingDeclaration { get }
}

extension Setting where Value == Bool {
    /// Creates a setting with the values yes and no.
    public init(_ key: String, _ abstract: String, default defaultValue: Bool, variables: [String] = []) {
        declaration = SettingDeclaration(
            key, abstract, metavariable: "yes|no", expected: YesOrNo.expected, choices: YesOrNo.choices,
            defaultText: defaultValue ? "yes" : "no", variables: variables, accepts: { YesOrNo.value(of: $0) != nil })
        value = { $0.flatMap(YesOrNo.value) ?? defaultValue }
    }
}

extension Setting {
    /// Creates an optional setting. `defaultText` is its default, if that is a value.
    ///
    /// - Parameters:
    ///   - variables: The environment variables that override it, highest priority first.
    ///   - fallbackVariable: The variable that counts if no file sets it.
    ///   - isSecret: True if messages must not contain a value.
    ///   - shown: The displayed form of the value.
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

/// A key of the configuration files as data, for reading, listing, checking, completion and the manual.
public struct SettingDeclaration: Sendable {
    /// The section and the name: `net.proxy`.
    public let key: String
    /// The summary in one line.
    public let abstract: String
    /// The placeholder of the value in the manual.
    public let metavariable: String
    /// The expected value, as the end of the sentence "expected ...".
    public let expected: String
    /// All allowed words; empty if the words are not a closed list.
    public let choices: [String]
    /// The default, as a value or in words.
    public let defaultText: String?
    /// The default, if it is a value.
    public private(set) var defaultValue: String?
    /// The environment variables that override it, highest priority first.
    public let variables: [String]
    /// The environment variable that counts if no file sets it: one for all programs.
    public let fallbackVariable: String?
    /// True if it may be set in several lines.
    public let isRepeatable: Bool
    /// True if messages must not contain a value.
    public let isSecret: Bool
    /// Returns the displayed form of the value.
    public let shown: @Sendable (String) -> String
    /// Returns true if a text is a valid value; a repeatable setting has one value per line.
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

    /// Creates the declaration of an option's default.
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

/// A key, split at its last dot.
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
