/// What a command line asks for.
public enum Request: Sendable {
    /// To run a command; the program itself if no command was named.
    case run(Parsed)
    /// To explain a command: on one screen, or completely.
    case help(Command, isFull: Bool)
}

/// A command and the values it was given, each of which is readable.
public struct Parsed: Sendable {
    public let command: Command
    private let visible: [String: OptionDeclaration]
    private let words: [String: [String]]
    private var given: [String: (value: Given, origin: Origin)]

    /// Where the value of an option comes from, the strongest first.
    public enum Origin: Hashable, Sendable {
        case commandLine
        case variable(String)
        /// A configuration file; the caller says which by its path and key.
        case setting(String)
        case builtIn
    }

    init(
        command: Command, visible: [OptionDeclaration], words: [String: [String]],
        given: [String: (value: Given, origin: Origin)]
    ) {
        self.command = command
        self.visible = Dictionary(visible.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.words = words
        self.given = given
    }

    /// The value of an option of the command, or of a global one. Asking for another option is a mistake in the command
    /// and traps.
    public subscript<Value>(option: Option<Value>) -> Value {
        precondition(
            visible[option.declaration.name] != nil, "the command does not declare --\(option.declaration.name)")
        return option.value(given[option.declaration.name]?.value)
    }

    /// The value of a positional argument of the command. Asking for another one is a mistake in the command and traps.
    public subscript<Value>(positional: Positional<Value>) -> Value {
        let name = positional.declaration.name
        guard let words = words[name], let value = positional.value(words) else {
            preconditionFailure("the command does not declare the argument \(name)")
        }
        return value
    }

    /// Where the value of an option comes from.
    public func origin<Value>(of option: Option<Value>) -> Origin {
        given[option.declaration.name]?.origin ?? .builtIn
    }

    /// Gives an option the text of a setting, unless the command line or the environment gave it a value already.
    /// Options that the command does not have are left alone.
    public mutating func supply(_ text: String, for name: String, setting: String) throws(UsageError) {
        guard given[name] == nil, let option = visible[name] else { return }
        guard let value = option.given(by: text) else {
            throw .invalidValue(.setting(setting), text, in: option.valueForm, expected: option.expected)
        }
        given[name] = (value, .setting(setting))
    }
}
