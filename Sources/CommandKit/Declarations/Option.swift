/// An option of a command, and the key to its value in ``Parsed``.
///
/// The type of the value decides on the behaviour: `Bool` is a flag, `Int` may be a counted flag, an optional may be
/// missing, an array collects a repeatable option, and any other type has a default.
/// an array collects a repeatable option, and anything else has a default.
public struct Option<Value: Sendable>: DeclaresOption {
    /// The declaration as data.
    public let declaration: OptionDeclaration
    let value: @Sendable (Given?) -> Value

    /// The option with `-3` as a short form, as in head(1).
    public var writtenAsNumeral: Option {
        var declaration = declaration
        declaration.isNumeral = true
        return Option(declaration: declaration, value: value)
    }

    /// The option that also takes the words behind its value that `fits` accepts, up to the first other word. `--name=value` takes
    /// one value.
    public func takingFollowing(_ fits: @escaping @Sendable (String) -> Bool) -> Option {
        var declaration = declaration
        declaration.takesFollowing = fits
        return Option(declaration: declaration, value: value)
    }

    /// The option without a setting in configuration files.
    public var withoutSetting: Option {
        var declaration = declaration
        declaration.isSettable = false
        return Option(declaration: declaration, value: value)
    }
}

/// An option with a value of any type, for the lists in a ``Command``.
public protocol DeclaresOption: Sendable {
    /// The declaration as data.
    var declaration: OptionDeclaration { get }
}

extension Option where Value == Bool {
    /// Creates a flag, which `--no-NAME` negates. If `isNegatable`, help shows the negation.
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
    /// Creates an optional flag, which `--no-NAME` negates. `defaultText` describes the default in words.
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
    /// Creates a counted flag: `-v`, `-vv`.
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
    /// Creates an option with an optional value. `defaultText` describes the default in words.
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

    /// Creates an option with a value and a default.
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

    /// Creates a repeatable option, which collects its values.
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

/// An option as data, for the parser, help, completion and the manual.
public struct OptionDeclaration: Sendable {
    /// The form of an option's value.
    public enum Form: Hashable, Sendable {
        /// No value. Help shows that a negatable flag `--x` can also be written `--no-x`.
        case flag(isNegatable: Bool)
        /// No value; the number of repetitions counts (`-qq`).
        case count
        /// A value, once (the last one counts) or repeated.
        case value(ValueForm, isRepeatable: Bool)
    }

    /// The long name without dashes: `dry-run`.
    public let name: String
    /// The short form.
    public let letter: Character?
    /// The summary in one line.
    public let abstract: String
    /// The form of the value.
    public let form: Form
    /// The default, as a value or in words.
    public let defaultText: String?
    /// An additional environment variable, besides that of every option (`TACIT_SEND_WAIT`).
    public let variable: String?
    /// True if short help shows the option.
    public let isCommon: Bool
    /// True if ``defaultText`` is a description, not a value.
    var defaultsToWords = false
    /// True if `-3` is the option with the value 3.
    public internal(set) var isNumeral = false
    /// True if configuration files may set the option.
    public internal(set) var isSettable = true
    /// Returns true if a word behind a value is another value; nil if the option takes one value each time.
    var takesFollowing: (@Sendable (String) -> Bool)?
    /// Returns true if a word is a value of this option.
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

    /// True if the option has a value.
    public var takesValue: Bool { valueForm != nil }

    /// True if the option may be repeated.
    public var isRepeatable: Bool {
        switch form {
        case .flag: false
        case .count: true
        case .value(_, let isRepeatable): isRepeatable
        }
    }

    /// True if `--no-x` is accepted: for all flags that a variable or a configuration file may set.
    public var isNegatable: Bool {
        switch form {
        case .flag(let isNegatable): isNegatable || isSettable
        case .count: isSettable
        case .value: false
        }
    }

    /// True if help shows `--no-x`: for flags that are on by default.
    public var showsNegation: Bool { form == .flag(isNegatable: true) }

    /// The form of the value, if the option has one.
    public var valueForm: ValueForm? {
        if case .value(let form, _) = form { form } else { nil }
    }
}

/// The given values of one option.
enum Given: Hashable, Sendable {
    case flag(Bool)
    case count(Int)
    /// The words, each accepted by the declaration; one word unless the option is repeatable.
    case words([String])
}

extension OptionDeclaration {
    /// Reads the text of an environment variable or a setting: `yes` or `no` for a flag, a number for a counted flag, a
    /// value, or for a repeatable option one value per line.
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

    /// The expected text, as the end of the sentence "expected ...".
    var expected: String {
        switch form {
        case .flag: YesOrNo.expected
        case .count: "a number from 0"
        case .value(let form, _): form.expected
        }
    }
}
