/// Why a command line means nothing. The words in it are what the user wrote, except for values that are secret.
public enum UsageError: Error, Hashable, Sendable {
    /// No command of this name exists below `path`.
    case unknownCommand(String, below: [String], suggestions: [String])
    /// A noun stands alone; `verbs` are the words that may follow.
    case missingVerb(of: [String], verbs: [String])
    /// An option, as it was written, that the command does not have.
    case unknownOption(String, of: [String], suggestions: [String])
    /// An option of a command stands before the command.
    case optionBeforeCommand(String)
    case missingValue(option: String, of: [String], expected: String)
    /// A value was written with `=` for an option that takes none.
    case unexpectedValue(option: String, of: [String])
    /// A letter that takes a value was joined with others, or with its value.
    case joinedLetter(Character, of: [String], option: String)
    /// A value that is not of its kind. `word` is nil if it is a secret.
    case invalidValue(Source, word: String?, expected: String, suggestions: [String])
    case missingArgument(String, of: [String])
    case unexpectedArgument(String, of: [String])
    /// Help was asked about something that is neither a command nor a topic.
    case unknownTopic(String, suggestions: [String])

    /// Where a value was written.
    public enum Source: Hashable, Sendable {
        case option(String)
        case argument(String)
        case variable(String)
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

    /// Whether the mistake is in the environment or a configuration file and not in the command line.
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
