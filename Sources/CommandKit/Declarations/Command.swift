/// A command: a verb with an action, or a noun that groups verbs.
public struct Command: Sendable {
    /// The words of its name: `contact`, `rename`. Empty for the program itself.
    public let path: [String]
    /// The summary in one line, imperative, with a capital and without a final period.
    public let abstract: String
    /// Paragraphs for the full page, separated by empty lines. Indented lines stay unchanged.
    public let discussion: String
    /// The guarantee of exit 0, as the end of the sentence "exit 0 means that ...". Empty for a noun.
    public let promise: String
    /// The use of the store.
    public let store: StoreUse
    /// The positional arguments in order.
    public let positionals: [PositionalDeclaration]
    /// The options of the command, without global ones.
    public let options: [OptionDeclaration]
    /// The examples; at least one for a verb.
    public let examples: [Example]
    /// The exit codes besides the common ones.
    public let exits: [Int32]
    /// The objects that it prints in JSON mode, made on demand: most runs do not need them.
    private let makeReports: @Sendable () -> [ReportForm]
    /// The related help topics.
    public let topics: [String]
    /// True if help and completion omit the command.
    public let isHidden: Bool
    /// True if the command only groups other commands.
    public let isNoun: Bool
    /// The commands directly below.
    public let subcommands: [Command]
    /// The verb of a noun that stands alone.
    public let defaultVerb: String?
    /// The parts of its manual page that help omits, made on demand.
    private let makeManual: @Sendable () -> [ManualPart]
    /// The section of the manual with its page: 1, or 8 for operators of a service.
    public let manualSection: Int

    /// Creates a verb. `path` contains the words of its name, separated by spaces.
    public init(
        _ path: String, _ abstract: String, promise: String, store: StoreUse,
        positionals: [any DeclaresPositional] = [], options: [any DeclaresOption] = [], examples: [Example],
        exits: [Int32] = [], reports: @autoclosure @escaping @Sendable () -> [ReportForm] = [], topics: [String] = [],
        discussion: String = "", isHidden: Bool = false
    ) {
        self.path = Command.words(path)
        self.abstract = abstract
        self.discussion = discussion
        self.promise = promise
        self.store = store
        self.positionals = positionals.map(\.declaration)
        self.options = options.map(\.declaration)
        self.examples = examples
        self.exits = exits
        makeReports = reports
        self.topics = topics
        self.isHidden = isHidden
        isNoun = false
        subcommands = []
        defaultVerb = nil
        makeManual = { [] }
        manualSection = 1
    }

    /// Creates a noun, which groups its verbs.
    public init(
        noun path: String, _ abstract: String, verbs: [Command], defaultVerb: String? = nil, topics: [String] = [],
        discussion: String = "", manualSection: Int = 1,
        manual: @autoclosure @escaping @Sendable () -> [ManualPart] = []
    ) {
        self.init(
            path: Command.words(path), abstract, subcommands: verbs, options: [], defaultVerb: defaultVerb,
            topics: topics, discussion: discussion, manualSection: manualSection, manual: manual)
    }

    init(
        path: [String], _ abstract: String, subcommands: [Command], options: [OptionDeclaration],
        defaultVerb: String? = nil, topics: [String] = [], discussion: String = "", manualSection: Int = 1,
        manual: @escaping @Sendable () -> [ManualPart] = { [] }
    ) {
        self.path = path
        self.abstract = abstract
        self.discussion = discussion
        promise = ""
        store = .none
        positionals = []
        self.options = options
        examples = []
        exits = []
        makeReports = { [] }
        self.topics = topics
        isHidden = false
        isNoun = true
        self.subcommands = subcommands
        self.defaultVerb = defaultVerb
        makeManual = manual
        self.manualSection = manualSection
    }

    private static func words(_ path: String) -> [String] {
        path.split(separator: " ").map(String.init)
    }

    /// The last word of the name; empty for the program itself.
    public var name: String { path.last ?? "" }

    /// The objects that the command prints in JSON mode.
    public var reports: [ReportForm] { makeReports() }

    /// The parts of its manual page that help omits.
    public var manual: [ManualPart] { makeManual() }

    /// The first example of each verb of a noun; those with arguments come first, because they show more.
    var examplesOfVerbs: [Example] {
        let verbs = subcommands.filter { !$0.isHidden }
        return (verbs.filter { !$0.positionals.isEmpty } + verbs.filter(\.positionals.isEmpty))
            .compactMap(\.examples.first)
    }

    /// Returns the command directly below with this name, or nil.
    public func subcommand(_ name: String) -> Command? {
        subcommands.first { $0.name == name }
    }

    /// The command itself and all commands below it, parents first.
    public var family: [Command] {
        [self] + subcommands.flatMap(\.family)
    }
}

/// A line to paste into a shell, with its effect.
public struct Example: Hashable, Sendable {
    /// The line.
    public let line: String
    /// The effect of the line.
    public let note: String

    /// Creates an example from its parts.
    public init(_ line: String, _ note: String) {
        self.line = line
        self.note = note
    }
}

/// The use of the store, which decides on the one-writer lock.
public enum StoreUse: Hashable, Sendable {
    /// The command does not open the store.
    case none
    /// The command reads a snapshot without the lock.
    case reading
    /// The command requires the lock.
    case writing
}

/// The kind of word for shell completion.
public enum Completion: Hashable, Sendable, CaseIterable {
    /// No completion, or the shell's own for files and folders.
    case nothing, file, folder
    /// The objects of the active profile.
    case chat, contact, group, member, profile, request, invitation, message, transfer
    /// Servers, and the words of help and configuration.
    case server, topic, report, field, cursor, setting, hook
}

/// The meaning of an exit code, for help pages.
public struct ExitMeaning: Hashable, Sendable {
    /// The exit code.
    public let code: Int32
    /// The meaning.
    public let meaning: String

    /// Creates an exit meaning from its parts.
    public init(_ code: Int32, _ meaning: String) {
        self.code = code
        self.meaning = meaning
    }
}

/// A part of a manual page: a heading, text, or a term with its meaning.
public enum ManualPart: Sendable {
    /// A heading, set in capitals.
    case heading(String)
    /// A heading inside of a section.
    case subheading(String)
    /// Paragraphs separated by empty lines. Indented lines stay unchanged.
    case text(String)
    /// A term that can be typed, its argument, and its meaning.
    case term(String, String = "", meaning: String)
}
