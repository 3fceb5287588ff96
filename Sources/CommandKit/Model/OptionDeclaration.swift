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
