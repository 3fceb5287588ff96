/// The request of a command line.
public enum Request: Sendable {
    /// Runs a command; the program itself without a command.
    case run(Parsed)
    /// Shows the help of a command: one screen, or complete.
    case help(Command, isFull: Bool)
}

/// A command with its values, all of them valid.
public struct Parsed: Sendable {
    /// The command.
    public let command: Command
    private let visible: [String: OptionDeclaration]
    private let words: [String: [String]]
    private let given: [String: (value: Given, origin: Origin)]

    /// The origin of an option's value, highest priority first.
    public enum Origin: Hashable, Sendable {
        /// The command line.
        case commandLine
        /// The environment variable of this name.
        case variable(String)
        /// A configuration file.
        case setting(Settings.Place)
        /// The default.
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

    /// The value of an option of the command, or of a global one. Another option is a defect of the command and traps.
    public subscript<Value>(option: Option<Value>) -> Value {
        precondition(
            visible[option.declaration.name] != nil, "the command does not declare --\(option.declaration.name)")
        return option.value(given[option.declaration.name]?.value)
    }

    /// Returns true if the command declares the option, or if it is a global one.
    public func declares<Value>(_ option: Option<Value>) -> Bool { visible[option.declaration.name] != nil }

    /// The value of a positional argument of the command. Another argument is a defect of the command and traps.
    public subscript<Value>(positional: Positional<Value>) -> Value {
        let name = positional.declaration.name
        guard let words = words[name], let value = positional.value(words) else {
            preconditionFailure("the command does not declare the argument \(name)")
        }
        return value
    }

    /// Returns the origin of an option's value.
    public func origin<Value>(of option: Option<Value>) -> Origin {
        given[option.declaration.name]?.origin ?? .builtIn
    }

    /// Returns the option's value on the command line in the form of a configuration file, or nil if it was not given.
    public func writtenText(of option: OptionDeclaration) -> String? {
        guard let given = given[option.name], given.origin == .commandLine else { return nil }
        return switch given.value {
        case .flag(let isOn): isOn ? "yes" : "no"
        case .count(let count): "\(count)"
        case .words(let words): words.joined(separator: "\n")
        }
    }
}
