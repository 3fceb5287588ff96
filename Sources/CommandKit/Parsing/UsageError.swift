/// A mistake in a command line. The words in it are those of the user, except for secret values.
public enum UsageError: Error, Hashable, Sendable {
    /// There is no such command below `path`.
    case unknownCommand(String, below: [String], suggestions: [String])
    /// A noun stands alone; `verbs` are its verbs.
    case missingVerb(of: [String], verbs: [String])
    /// The command does not have the option.
    case unknownOption(String, of: [String], suggestions: [String])
    /// An option of a command precedes the command.
    case optionBeforeCommand(String)
    /// The value of an option is missing.
    case missingValue(option: String, of: [String], expected: String)
    /// A flag has a value after `=`.
    case unexpectedValue(option: String, of: [String])
    /// A letter with a value is joined with other letters or with its value.
    case joinedLetter(Character, of: [String], option: String)
    /// A value is invalid. `word` is nil for a secret.
    case invalidValue(Source, word: String?, expected: String, suggestions: [String])
    /// A required argument is missing.
    case missingArgument(String, of: [String])
    /// There are more arguments than expected.
    case unexpectedArgument(String, of: [String])
    /// The subject of `help` is neither a command nor a topic.
    case unknownTopic(String, suggestions: [String])

    /// The location of a value.
    public enum Source: Hashable, Sendable {
        /// The option.
        case option(String)
        /// The positional argument.
        case argument(String)
        /// The environment variable.
        case variable(String)
        /// The line of a configuration file.
        case setting(Settings.Place)
    }

    static func invalidValue(
        _ source: Source, _ word: String, in form: ValueForm?, expected: String
    ) -> UsageError {
        let suggestions = Suggestion.closest(to: word, among: form?.choices ?? [])
        guard form?.isSecret != true else {
            return .invalidValue(source, word: nil, expected: expected, suggestions: [])
        }
        return .invalidValue(source, word: word, expected: expected, suggestions: suggestions)
    }

    /// True if the mistake is in the environment or a configuration file, not on the command line.
    public var isInConfiguration: Bool {
        switch self {
        case .invalidValue(.variable, _, _, _), .invalidValue(.setting, _, _, _): true
        default: false
        }
    }

    /// A stable name for programs.
    public var slug: String {
        switch self {
        case .unknownCommand: "usage.command"
        case .missingVerb: "usage.verb"
        case .unknownOption, .optionBeforeCommand: "usage.option"
        case .missingValue, .unexpectedValue, .joinedLetter: "usage.option-value"
        case .invalidValue(.option, _, _, _), .invalidValue(.argument, _, _, _): "usage.value"
        case .invalidValue(.variable, _, _, _): "config.variable"
        case .invalidValue(.setting, _, _, _): "config.setting"
        case .missingArgument, .unexpectedArgument: "usage.argument"
        case .unknownTopic: "usage.topic"
        }
    }
}

/// A line that helps after a mistake, with its reason.
public struct Remedy: Hashable, Sendable {
    /// The line to paste.
    public let line: String
    /// The reason.
    public let note: String

    /// Creates a remedy from its parts.
    public init(_ line: String, _ note: String) {
        self.line = line
        self.note = note
    }
}

extension UsageError {
    /// Returns the mistake in one line, without capital and final period.
    public func sentence(in tree: CommandTree) -> String {
        switch self {
        case .unknownCommand(let word, let path, _): "'\(tree.invocation(of: path))' has no command '\(word)'"
        case .missingVerb(let path, let verbs):
            "'\(tree.invocation(of: path))' needs one of: \(verbs.joined(separator: ", "))"
        case .unknownOption(let option, let path, _): "'\(tree.invocation(of: path))' has no option '\(option)'"
        case .optionBeforeCommand(let option): "option '\(option)' must follow the command"
        case .missingValue(let option, _, let expected): "option '\(option)' needs a value; expected \(expected)"
        case .unexpectedValue(let option, _): "option '\(option)' takes no value"
        case .joinedLetter(let letter, _, let option):
            "'-\(letter)' takes a value and cannot be combined: '-\(letter) VALUE' or '--\(option) VALUE'"
        case .invalidValue(let source, let word, let expected, _):
            "\(source.sentence) \(word.map { "cannot be '\($0)'" } ?? "is not valid")"
                + (isShort(expected) ? "; expected \(expected)" : "")
        case .missingArgument(let name, let path): "'\(tree.invocation(of: path))' needs \(name)"
        case .unexpectedArgument(let word, let path):
            "'\(tree.invocation(of: path))' takes no argument '\(word)'"
        case .unknownTopic(let word, _): "there is no help on '\(word)'"
        }
    }

    /// The location of the value, and the expected form if it is too long for the sentence.
    public var explanations: [String] {
        guard case .invalidValue(let source, _, let expected, _) = self else { return [] }
        let demand = isShort(expected) ? [] : ["expected \(expected)"]
        guard case .setting(let place) = source else { return demand }
        return ["the setting is in \(place.file):\(place.line)"] + demand
    }

    private func isShort(_ expected: String) -> Bool { expected.count <= 55 }

    /// Returns lines to try: corrections and help pages. None of them is run.
    public func remedies(in tree: CommandTree) -> [Remedy] {
        meant(in: tree).map { Remedy($0, "did you mean this?") } + reading(in: tree)
    }

    private func meant(in tree: CommandTree) -> [String] {
        switch self {
        case .unknownCommand(_, let path, let suggestions), .unknownOption(_, let path, let suggestions):
            suggestions.map { tree.invocation(of: path + [$0]) }
        case .invalidValue(.option(let option), _, _, let suggestions): suggestions.map { "\(option) \($0)" }
        case .invalidValue(.variable(let name), _, _, let suggestions): suggestions.map { "\(name)=\($0)" }
        case .invalidValue(.argument, _, _, let suggestions): suggestions
        case .invalidValue(.setting(let place), _, _, let suggestions):
            suggestions.map { "\(tree.program) config set \(place.key) \($0)" }
        case .unknownTopic(_, let suggestions): suggestions.map { "\(tree.program) help \($0)" }
        default: []
        }
    }

    private func reading(in tree: CommandTree) -> [Remedy] {
        switch self {
        case .unknownCommand(_, let path, _), .missingVerb(let path, _): [explanation(of: path, in: tree)]
        case .unknownOption(let option, let path, let suggestions):
            separated(option, of: path, suggestions, in: tree) + [explanation(of: path, in: tree)]
        case .missingValue(_, let path, _), .unexpectedValue(_, let path), .joinedLetter(_, let path, _),
            .missingArgument(_, let path):
            [explanation(of: path, in: tree)]
        case .unexpectedArgument(_, let path): quoted(path, in: tree) + [explanation(of: path, in: tree)]
        case .optionBeforeCommand: [explanation(of: [], in: tree)]
        case .unknownTopic: [Remedy("\(tree.program) --help", "list commands and topics")]
        case .invalidValue: []
        }
    }

    /// Returns the command line with `--`, in which an option-like word is an argument.
    private func separated(
        _ option: String, of path: [String], _ suggestions: [String], in tree: CommandTree
    ) -> [Remedy] {
        // A text such as -hello resembles an option by chance.
        guard suggestions.isEmpty || !option.hasPrefix("--"), let command = tree.command(at: path),
            !command.positionals.isEmpty
        else { return [] }
        let before = command.positionals.dropLast().map { $0.name }
        return [Remedy(tree.invocation(of: path + before + ["--", option]), "if it is not an option")]
    }

    /// Returns the command line with a text in quotes, which several words need.
    private func quoted(_ path: [String], in tree: CommandTree) -> [Remedy] {
        guard let positionals = tree.command(at: path)?.positionals, let last = positionals.last,
            last.name.hasPrefix("TEXT")
        else { return [] }
        let words = path + positionals.dropLast().map(\.name) + ["'TEXT WITH SPACES'"]
        return [Remedy(tree.invocation(of: words), "quote the text")]
    }

    private func explanation(of path: [String], in tree: CommandTree) -> Remedy {
        let isVerb = tree.command(at: path).map { !$0.isNoun } ?? false
        return Remedy("\(tree.invocation(of: path)) -h", isVerb ? "show its usage" : "list its commands")
    }
}

extension UsageError.Source {
    fileprivate var sentence: String {
        switch self {
        case .option(let name): "the value of '\(name)'"
        case .argument(let name): name
        case .variable(let name): "the variable \(name)"
        case .setting(let place): "the setting \(place.key)"
        }
    }
}
