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
