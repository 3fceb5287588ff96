/// An option of a command, and the key that fetches its value from ``Parsed``.
///
/// The type of the value says how it behaves: `Bool` is a flag, `Int` may be a counted flag, an optional may be missing,
/// an array collects a repeatable option, and anything else has a default.
public struct Option<Value: Sendable>: DeclaresOption {
    public let declaration: OptionDeclaration
    let value: @Sendable (Given?) -> Value

    /// The same option, of which `-3` is a short form, as with head(1).
    public var writtenAsNumeral: Option {
        var declaration = declaration
        declaration.isNumeral = true
        return Option(declaration: declaration, value: value)
    }

    /// The same option, which configuration files cannot set.
    public var withoutSetting: Option {
        var declaration = declaration
        declaration.isSettable = false
        return Option(declaration: declaration, value: value)
    }
}

/// An option whatever its value is, for the lists in a ``Command``.
public protocol DeclaresOption: Sendable {
    var declaration: OptionDeclaration { get }
}

extension Option where Value == Bool {
    /// An option without a value, which `--no-NAME` takes back. If `isNegatable`, help shows that.
    public init(
        flag name: String, letter: Character? = nil, _ abstract: String, isNegatable: Bool = false,
        default defaultValue: Bool = false, variable: String? = nil, isCommon: Bool = false
    ) {
        declaration = OptionDeclaration(
            name, letter: letter, abstract, .flag(isNegatable: isNegatable), defaultText: defaultValue ? "yes" : nil,
            variable: variable, isCommon: isCommon)
        value = { given in
            if case .flag(let isOn) = given { isOn } else { defaultValue }
        }
    }
}

extension Option where Value == Bool? {
    /// An option without a value, which `--no-NAME` takes back, and which may be missing; `defaultText` says in words what
    /// holds then.
    public init(
        flag name: String, letter: Character? = nil, _ abstract: String, defaultText: String, variable: String? = nil,
        isCommon: Bool = false
    ) {
        var declaration = OptionDeclaration(
            name, letter: letter, abstract, .flag(isNegatable: true), defaultText: defaultText, variable: variable,
            isCommon: isCommon)
        declaration.defaultsToWords = true
        self.declaration = declaration
        value = { given in
            if case .flag(let isOn) = given { isOn } else { nil }
        }
    }
}

extension Option where Value == Int {
    /// An option without a value that means more when it is written more often: `-v`, `-vv`.
    public init(
        counting name: String, letter: Character? = nil, _ abstract: String, variable: String? = nil,
        isCommon: Bool = false
    ) {
        declaration = OptionDeclaration(
            name, letter: letter, abstract, .count, defaultText: nil, variable: variable, isCommon: isCommon)
        value = { given in
            if case .count(let count) = given { count } else { 0 }
        }
    }
}

extension Option {
    /// An option with a value that may be missing; `defaultText` says in words what holds then.
    public init<Word>(
        _ name: String, letter: Character? = nil, _ abstract: String, _ kind: ValueKind<Word>,
        defaultText: String? = nil, variable: String? = nil, isCommon: Bool = false
    ) where Value == Word? {
        var declaration = OptionDeclaration(
            name, letter: letter, abstract, .value(kind.form, isRepeatable: false), defaultText: defaultText,
            variable: variable, isCommon: isCommon, accepts: { kind.read($0) != nil })
        declaration.defaultsToWords = true
        self.declaration = declaration
        value = { given in
            if case .words(let words) = given { words.last.flatMap(kind.read) } else { nil }
        }
    }

    /// An option with a value and a default.
    public init(
        _ name: String, letter: Character? = nil, _ abstract: String, _ kind: ValueKind<Value>,
        default defaultValue: Value, variable: String? = nil, isCommon: Bool = false
    ) {
        declaration = OptionDeclaration(
            name, letter: letter, abstract, .value(kind.form, isRepeatable: false),
            defaultText: kind.write(defaultValue), variable: variable, isCommon: isCommon,
            accepts: { kind.read($0) != nil })
        value = { given in
            if case .words(let words) = given { words.last.flatMap(kind.read) ?? defaultValue } else { defaultValue }
        }
    }

    /// An option that collects a value each time it is written.
    public init<Word>(
        repeated name: String, letter: Character? = nil, _ abstract: String, _ kind: ValueKind<Word>,
        variable: String? = nil, isCommon: Bool = false
    ) where Value == [Word] {
        declaration = OptionDeclaration(
            name, letter: letter, abstract, .value(kind.form, isRepeatable: true), defaultText: nil,
            variable: variable, isCommon: isCommon, accepts: { kind.read($0) != nil })
        value = { given in
            if case .words(let words) = given { words.compactMap(kind.read) } else { [] }
        }
    }
}

/// An option as data: what the parser, help, completion and the manual need to know of it.
public struct OptionDeclaration: Sendable {
    /// What follows the name of an option.
    public enum Form: Hashable, Sendable {
        /// Nothing. Help shows that a negatable flag `--x` can also be written `--no-x`.
        case flag(isNegatable: Bool)
        /// Nothing; what counts is how often it was written (`-qq`).
        case count
        /// A value, once (the last one wins) or as often as it was written.
        case value(ValueForm, isRepeatable: Bool)
    }

    /// The long name without dashes: `dry-run`.
    public let name: String
    public let letter: Character?
    public let abstract: String
    public let form: Form
    /// What holds when the option is not given, as a word of its kind or in words.
    public let defaultText: String?
    /// An environment variable of its own, besides the one that every option has (`TACIT_SEND_WAIT`).
    public let variable: String?
    /// Whether the short help shows it.
    public let isCommon: Bool
    /// Whether ``defaultText`` is no value that could be given.
    var defaultsToWords = false
    /// True if `-3` stands for the option with the value 3.
    public internal(set) var isNumeral = false
    /// Whether configuration files may set it.
    public internal(set) var isSettable = true
    /// Whether a word is a value of this option.
    let accepts: @Sendable (String) -> Bool

    init(
        _ name: String, letter: Character?, _ abstract: String, _ form: Form, defaultText: String?, variable: String?,
        isCommon: Bool, accepts: @escaping @Sendable (String) -> Bool = { _ in false }
    ) {
        self.name = name
        self.letter = letter
        self.abstract = abstract
        self.form = form
        self.defaultText = defaultText
        self.variable = variable
        self.isCommon = isCommon
        self.accepts = accepts
    }

    public var takesValue: Bool { valueForm != nil }

    public var isRepeatable: Bool {
        switch form {
        case .flag: false
        case .count: true
        case .value(_, let isRepeatable): isRepeatable
        }
    }

    /// Whether `--no-x` is understood: wherever a variable or a configuration file may have said `--x`.
    public var isNegatable: Bool {
        switch form {
        case .flag(let isNegatable): isNegatable || isSettable
        case .count: isSettable
        case .value: false
        }
    }

    /// Whether help shows `--no-x`: where that is what people want to write, as the flag holds by itself.
    public var showsNegation: Bool { form == .flag(isNegatable: true) }

    /// What is known of the value, if the option takes one.
    public var valueForm: ValueForm? {
        if case .value(let form, _) = form { form } else { nil }
    }
}

/// What was written for one option.
enum Given: Hashable, Sendable {
    case flag(Bool)
    case count(Int)
    /// The words, each accepted by the declaration; one of them unless the option is repeatable.
    case words([String])
}

extension OptionDeclaration {
    /// Reads the text of an environment variable or of a setting: `yes` or `no` for a flag, a number for a counted flag,
    /// a value, or for a repeatable option one value a line.
    func given(by text: String) -> Given? {
        switch form {
        case .flag:
            return YesOrNo.value(of: text).map { .flag($0) }
        case .count:
            return WordGrammar.number(text).map { .count($0) }
        case .value(_, let isRepeatable):
            let words = isRepeatable ? text.split(separator: "\n").map(String.init) : [text]
            return words.allSatisfy(accepts) ? .words(words) : nil
        }
    }

    /// What such a text must be, as the end of the sentence "expected ...".
    var expected: String {
        switch form {
        case .flag: YesOrNo.expected
        case .count: "a number from 0"
        case .value(let form, _): form.expected
        }
    }
}
