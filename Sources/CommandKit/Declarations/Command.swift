/// A command: a verb that does something, or a noun that groups verbs.
public struct Command: Sendable {
    /// The words that name it: `contact`, `rename`. Empty for the program itself.
    public let path: [String]
    /// One line, imperative, with a capital and without a final period.
    public let abstract: String
    /// Paragraphs for the full page, separated by empty lines; an indented line stays as it is.
    public let discussion: String
    /// The stage that exit 0 promises, as the end of the sentence "exit 0 means that ...". Empty for a noun.
    public let promise: String
    public let store: StoreUse
    public let positionals: [PositionalDeclaration]
    public let options: [OptionDeclaration]
    public let examples: [Example]
    /// The exit codes it may end with besides those that every command has.
    public let exits: [Int32]
    /// The objects that it prints in JSON mode, made when somebody asks: most runs do not.
    private let makeReports: @Sendable () -> [ReportForm]
    /// The help topics that belong to it.
    public let topics: [String]
    /// Whether help and completion leave it out.
    public let isHidden: Bool
    /// Whether it only leads to other commands.
    public let isNoun: Bool
    public let subcommands: [Command]
    /// The verb that a noun means when it stands alone.
    public let defaultVerb: String?
    /// Parts of its page that help does not show, made when somebody reads them.
    private let makeManual: @Sendable () -> [ManualPart]
    /// The section of the manual where its page is: 1, or 8 if it is for those who run a service.
    public let manualSection: Int

    /// A verb. `path` holds the words of its name, separated by spaces.
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

    /// A noun, which does nothing but lead to its verbs.
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

    /// The last word of its name; empty for the program itself.
    public var name: String { path.last ?? "" }

    /// The objects that it prints in JSON mode.
    public var reports: [ReportForm] { makeReports() }

    /// Parts of its page in the manual that help does not show.
    public var manual: [ManualPart] { makeManual() }

    /// The first example of each verb of a noun; those with arguments come first, because they show more.
    var examplesOfVerbs: [Example] {
        let verbs = subcommands.filter { !$0.isHidden }
        return (verbs.filter { !$0.positionals.isEmpty } + verbs.filter(\.positionals.isEmpty))
            .compactMap(\.examples.first)
    }

    /// The command directly below with this name.
    public func subcommand(_ name: String) -> Command? {
        subcommands.first { $0.name == name }
    }

    /// The command itself and all commands below it, each before those below it.
    public var family: [Command] {
        [self] + subcommands.flatMap(\.family)
    }
}

/// A line that can be pasted into a shell, and what it does.
public struct Example: Hashable, Sendable {
    public let line: String
    public let note: String

    public init(_ line: String, _ note: String) {
        self.line = line
        self.note = note
    }
}

/// How a command uses the store, which decides whether it needs the one-writer lock.
public enum StoreUse: Hashable, Sendable {
    case none
    /// Sees a snapshot and never waits for the lock.
    case reading
    case writing
}

/// What an incomplete word may become when the user asks the shell to complete it.
public enum Completion: Hashable, Sendable, CaseIterable {
    case nothing, file, folder
    case chat, contact, group, profile, request, invitation, message, transfer
    case server, topic, report, field, cursor, setting, hook
}

/// What an exit code says, for the help pages.
public struct ExitMeaning: Hashable, Sendable {
    public let code: Int32
    public let meaning: String

    public init(_ code: Int32, _ meaning: String) {
        self.code = code
        self.meaning = meaning
    }
}

/// A part of a page of the manual: a heading, text, or a term with its meaning.
public enum ManualPart: Sendable {
    /// A heading, which is written in capitals.
    case heading(String)
    case subheading(String)
    /// Paragraphs separated by empty lines; an indented line stays as it is.
    case text(String)
    /// A word that can be typed, what may follow it, and its meaning.
    case term(String, String = "", meaning: String)
}
