/// The command line of a program.
public struct CommandTree: Sendable {
    /// The name of the program.
    public let program: String
    /// The program itself: its options are the global ones, its subcommands are all commands.
    public let root: Command
    /// The groups of commands in help; the first one has the daily commands.
    public let sections: [Section]
    /// The help topics.
    public let topics: [Topic]
    /// The settings of configuration files besides defaults of options.
    public let settings: [SettingDeclaration]
    /// All exit codes that commands may declare.
    public let exits: [ExitMeaning]
    /// The exit codes of all commands.
    public let commonExits: [Int32]
    /// The additional exit codes of all commands that use the store.
    public let storeExits: [Int32]
    private let makeCommonReports: @Sendable () -> [ReportForm]

    /// The help option. Every tree has it, and the parser handles it.
    public static let help = Option<Bool>(
        flag: "help", letter: "h", "Show help: one screen with -h, everything with --help"
    ).withoutSetting

    /// Creates a command tree from its parts.
    public init(
        program: String, _ abstract: String, options: [any DeclaresOption] = [], sections: [Section],
        topics: [Topic] = [], settings: [any DeclaresSetting] = [], exits: [ExitMeaning], commonExits: [Int32] = [],
        storeExits: [Int32] = [], commonReports: @autoclosure @escaping @Sendable () -> [ReportForm] = [],
        discussion: String = ""
    ) {
        self.program = program
        root = Command(
            path: [], abstract, subcommands: sections.flatMap(\.commands),
            options: options.map(\.declaration) + [CommandTree.help.declaration], discussion: discussion)
        self.sections = sections
        self.topics = topics
        self.settings = settings.map(\.declaration)
        self.exits = exits
        self.commonExits = commonExits
        self.storeExits = storeExits
        makeCommonReports = commonReports
    }

    /// Returns the matching option of a command, or the global one, with its command. An option of the default verb of
    /// a noun selects that verb.
    func option(
        of command: Command, _ matches: (OptionDeclaration) -> Bool
    ) -> (option: OptionDeclaration, command: Command)? {
        if let option = (command.options + root.options).first(where: matches) { return (option, command) }
        guard let verb = command.defaultVerb.flatMap(command.subcommand) else { return nil }
        return verb.options.first(where: matches).map { ($0, verb) }
    }

    /// A group of commands under a title.
    public struct Section: Sendable {
        /// The title.
        public let title: String
        /// The commands of the group.
        public let commands: [Command]

        /// Creates a section from its parts.
        public init(_ title: String, _ commands: [Command]) {
            self.title = title
            self.commands = commands
        }
    }

    /// A help page without a command.
    public struct Topic: Sendable {
        /// The name, one word: `exit-codes`.
        public let name: String
        /// The summary in one line.
        public let abstract: String
        /// The section of the manual with its page; nil for a topic on the program's page.
        public let manualSection: Int?
        /// The name of this page behind that of the program; the name of the topic unless another is given.
        public let manualName: String
        private let makeText: @Sendable () -> String

        /// Paragraphs separated by empty lines. Indented lines stay unchanged.
        public var text: String { makeText() }

        /// Creates a topic. Its text is made on demand: most runs do not need it.
        public init(
            _ name: String, _ abstract: String, manualSection: Int? = nil, manualName: String? = nil,
            _ text: @autoclosure @escaping @Sendable () -> String
        ) {
            self.name = name
            self.abstract = abstract
            self.manualSection = manualSection
            self.manualName = manualName ?? name
            makeText = text
        }
    }

    /// The objects that any command may print.
    public var commonReports: [ReportForm] { makeCommonReports() }

    /// All printed objects, by type. An object of several commands is included once, with columns if a command prints
    /// it as a plain record.
    public var reports: [ReportForm] {
        let all = root.family.flatMap(\.reports) + commonReports
        var seen: Set<String> = []
        return (all.filter { !$0.plain.isEmpty } + all.filter(\.plain.isEmpty)).filter { seen.insert($0.type).inserted }
            .sorted { $0.type < $1.type }
    }

    /// Returns the command with this path, or nil.
    public func command(at path: [String]) -> Command? {
        var command = root
        for name in path {
            guard let next = command.subcommand(name) else { return nil }
            command = next
        }
        return command
    }

    /// Returns the exit codes of a command in order; always including 0.
    func exitCodes(of command: Command) -> [Int32] {
        Set([0] + command.exits + commonExits + (command.store == .none ? [] : storeExits)).sorted()
    }

    /// Returns the words that run a command: `tacit contact rename`.
    public func invocation(of path: [String]) -> String {
        ([program] + path).joined(separator: " ")
    }

    /// Returns the environment variables of an option of a command, highest priority first: the one of command and
    /// option (`TACIT_CONTACT_LIST_JSON`), then the option's own.
    public func variables(of option: OptionDeclaration, in command: Command) -> [String] {
        let own = option.variable.map { [$0] } ?? []
        guard !command.path.isEmpty, option.name != CommandTree.help.declaration.name else { return own }
        return [variablePrefix(of: command) + CommandTree.variableWord(option.name)] + own
    }

    /// Returns the prefix of the variables for the options of a command: `TACIT_CONTACT_LIST_`.
    func variablePrefix(of command: Command) -> String {
        ([program] + command.path).map { CommandTree.variableWord($0) + "_" }.joined()
    }

    private static func variableWord(_ name: String) -> String {
        name.uppercased().split(separator: "-", omittingEmptySubsequences: false).joined(separator: "_")
    }
}
