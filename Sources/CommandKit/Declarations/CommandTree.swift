/// The whole command line of a program.
public struct CommandTree: Sendable {
    /// The word that starts the program.
    public let program: String
    /// The program itself: its options are the global ones, its subcommands are all commands.
    public let root: Command
    /// The commands in the groups that help shows; the first group holds the daily ones.
    public let sections: [Section]
    public let topics: [Topic]
    /// What configuration files may say besides defaults of options.
    public let settings: [SettingDeclaration]
    /// Every exit code that a command may name.
    public let exits: [ExitMeaning]
    /// The exit codes that any command may end with.
    public let commonExits: [Int32]
    /// Those that any command may end with besides that uses the store.
    public let storeExits: [Int32]
    private let makeCommonReports: @Sendable () -> [ReportForm]

    /// The option that asks for help. Every tree has it, and the parser answers it by itself.
    public static let help = Option<Bool>(
        flag: "help", letter: "h", "Show help: one screen with -h, everything with --help"
    ).withoutSetting

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

    /// The option of a command, or the global one, that matches, and whose it is: an option of the verb that a noun means by
    /// default chooses that verb.
    func option(
        of command: Command, _ matches: (OptionDeclaration) -> Bool
    ) -> (option: OptionDeclaration, command: Command)? {
        if let option = (command.options + root.options).first(where: matches) { return (option, command) }
        guard let verb = command.defaultVerb.flatMap(command.subcommand) else { return nil }
        return verb.options.first(where: matches).map { ($0, verb) }
    }

    /// A group of commands under a title.
    public struct Section: Sendable {
        public let title: String
        public let commands: [Command]

        public init(_ title: String, _ commands: [Command]) {
            self.title = title
            self.commands = commands
        }
    }

    /// A page of help that belongs to no single command.
    public struct Topic: Sendable {
        /// One word: `exit-codes`.
        public let name: String
        public let abstract: String
        /// The section of the manual where its page is; nil for one that stands on the page of the program.
        public let manualSection: Int?
        private let makeText: @Sendable () -> String

        /// Paragraphs separated by empty lines; an indented line stays as it is.
        public var text: String { makeText() }

        /// The text is made when somebody reads it: most runs do not.
        public init(
            _ name: String, _ abstract: String, manualSection: Int? = nil,
            _ text: @autoclosure @escaping @Sendable () -> String
        ) {
            self.name = name
            self.abstract = abstract
            self.manualSection = manualSection
            makeText = text
        }
    }

    /// The objects that any command may print.
    public var commonReports: [ReportForm] { makeCommonReports() }

    /// All objects that are printed, by the names of their types. What several commands print is there once, with columns if
    /// one of them prints it as a plain record.
    public var reports: [ReportForm] {
        let all = root.family.flatMap(\.reports) + commonReports
        var seen: Set<String> = []
        return (all.filter { !$0.plain.isEmpty } + all.filter(\.plain.isEmpty)).filter { seen.insert($0.type).inserted }
            .sorted { $0.type < $1.type }
    }

    /// The command with this path, if there is one.
    public func command(at path: [String]) -> Command? {
        var command = root
        for name in path {
            guard let next = command.subcommand(name) else { return nil }
            command = next
        }
        return command
    }

    /// The exit codes that a command may end with, in their order; 0 is always among them.
    func exitCodes(of command: Command) -> [Int32] {
        Set([0] + command.exits + commonExits + (command.store == .none ? [] : storeExits)).sorted()
    }

    /// What is typed to run a command: `tacit contact rename`.
    public func invocation(of path: [String]) -> String {
        ([program] + path).joined(separator: " ")
    }

    /// The environment variables that give an option of a command its value, the strongest first: one made of the
    /// command and the option (`TACIT_CONTACT_LIST_JSON`), then the option's own.
    public func variables(of option: OptionDeclaration, in command: Command) -> [String] {
        let own = option.variable.map { [$0] } ?? []
        guard !command.path.isEmpty, option.name != CommandTree.help.declaration.name else { return own }
        return [variablePrefix(of: command) + CommandTree.variableWord(option.name)] + own
    }

    /// What the variables for the options of a command start with: `TACIT_CONTACT_LIST_`.
    func variablePrefix(of command: Command) -> String {
        ([program] + command.path).map { CommandTree.variableWord($0) + "_" }.joined()
    }

    private static func variableWord(_ name: String) -> String {
        name.uppercased().split(separator: "-", omittingEmptySubsequences: false).joined(separator: "_")
    }
}
