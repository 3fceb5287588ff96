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
    private let given: [String: (value: Given, origin: Origin)]

    /// Where the value of an option comes from, the strongest first.
    public enum Origin: Hashable, Sendable {
        case commandLine
        case variable(String)
        case setting(Settings.Place)
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

    /// What the command line gave an option, as a configuration file would say it; nil if it gave nothing.
    public func writtenText(of option: OptionDeclaration) -> String? {
        guard let given = given[option.name], given.origin == .commandLine else { return nil }
        return switch given.value {
        case .flag(let isOn): isOn ? "yes" : "no"
        case .count(let count): "\(count)"
        case .words(let words): words.joined(separator: "\n")
        }
    }
}
