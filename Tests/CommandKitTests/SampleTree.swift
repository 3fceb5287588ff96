import CommandKit

/// A small program with one of everything, shared by the suites.
enum Sample {
    enum Stage: String, CaseIterable, Sendable {
        case queued, sent, delivered
    }

    enum Coloring: String, CaseIterable, Sendable {
        case auto, always, never
    }

    // MARK: - Global options

    static let json = Option<Bool>(flag: "json", "Print one object a line")
    static let quiet = Option<Int>(counting: "quiet", letter: "q", "Print less")
    static let nul = Option<Bool>(flag: "null", letter: "0", "End records with a NUL byte")
    static let profile = Option<String?>("profile", "Act as this profile", .text("NAME"), variable: "TACIT_PROFILE")
    static let color = Option<Coloring>("color", "Use colour", .choice("WHEN"), default: .auto)

    // MARK: - Settings

    static let confirms = Setting<Bool>("db.confirm", "Whether somebody is asked", default: false)
    static let place = Setting<String?>(
        "net.place", "Where to connect to", .text("PLACE"), variables: ["TACIT_PLACE"], fallbackVariable: "ALL_PLACES")

    // MARK: - Commands

    static let target = Positional<String>("TARGET", "Who receives the message", .text(completing: .chat))
    static let text = Positional<String?>(optional: "TEXT|-", "What to say; - reads standard input", .text())
    static let wait = Option<Stage>(
        "wait", letter: "w", "Return when the message has come this far", .choice("STAGE"), default: .sent,
        isCommon: true)
    static let timeout = Option<Duration>(
        "timeout", letter: "t", "Give up waiting after this time", .duration(), default: .seconds(30),
        variable: "TACIT_TIMEOUT", isCommon: true)
    static let attach = Option<[String]>(repeated: "attach", letter: "a", "Send a file along", .path())
        .takingFollowing { $0.hasSuffix(".txt") }
    static let once = Option<String?>("once", "Send only once under this key", .text("KEY", isSecret: true))
    static let dryRun = Option<Bool>(flag: "dry-run", letter: "n", "Say what would be done, and do nothing")
    static let report = ReportForm(
        "send", "How far a message has come", plain: ["id", "state"],
        [
            .sometimes("id", .id, "The message"), .always("state", .word(["queued", "sent"]), "How far it is"),
            .always("tries", .counts, "How often it was tried"),
        ])
    static let send = Command(
        "send", "Send a message", promise: "the relay has accepted the message", store: .writing,
        positionals: [target, text], options: [wait, timeout, attach, once, dryRun],
        examples: [
            Example("tacit send @alice 'see you at 9'", "Send a line"),
            Example("uptime | tacit send @alice -", "Send what a program prints"),
            Example(#"tacit send +ops 'disk 91%' --once "disk-$(date +%F)" || echo "not sent: $?""#, "Safe to repeat"),
        ],
        exits: [75], reports: [report], topics: ["targets"],
        discussion:
            "The message is stored before anything else happens.\nIt is never lost.\n\n  indented as written\n\nThe end."
    )

    static let qr = Option<Bool>(flag: "qr", "Draw the link", isNegatable: true, default: true)
    static let since = Option<String?>("since", "Only what came after this time", .text("TIME"))
    static let link = Positional<String?>(optional: "LINK", "Where to connect to", .text())
    static let connect = Command(
        "connect", "Connect with somebody", promise: "the invitation is stored", store: .writing, positionals: [link],
        options: [qr, since], examples: [Example("tacit connect > invite.txt 2>&1", "Invite somebody")])

    static let last = Option<Int?>("last", letter: "l", "How many", .count(in: 1...1000))
    static let limit = Option<Int?>("limit", "How large", .size())
    static let contactList = Command(
        "contact list", "List contacts", promise: "the list is printed", store: .reading, options: [last, limit],
        examples: [Example("tacit contact list", "All of them")])
    static let contactName = Positional<String>("CONTACT", "Who is renamed", .text(completing: .contact))
    static let names = Positional<[String]>(repeated: "NAME", "The new name", .text())
    static let contactRename = Command(
        "contact rename", "Rename a contact", promise: "the name is stored", store: .writing,
        positionals: [contactName, names], examples: [Example("tacit contact rename @bob Robert", "A longer name")])

    static let state = Positional<Stage>("STATE", "The new state", .choice())
    static let force = Option<Bool>(flag: "force", "Do it anyway")
    static let run = Command(
        "daemon run", "Run in the foreground", promise: "it was stopped", store: .writing, options: [force],
        examples: [Example("tacit daemon", "Until Ctrl-C")])
    static let mark = Command(
        "daemon mark", "Set a state", promise: "the state is set", store: .none, positionals: [state],
        examples: [Example("tacit daemon mark sent", "Say that it is sent")])

    static let subject = Positional<[String]>(
        repeated: "COMMAND|TOPIC", "What to explain", .text(completing: .topic), minimum: 0)
    static let help = Command(
        "help", "Explain a command or a topic", promise: "the page is printed", store: .none, positionals: [subject],
        examples: [Example("tacit help targets", "How to name people")])
    static let complete = Command(
        "__complete", "Complete a word", promise: "the words are printed", store: .none, positionals: [subject],
        examples: [Example("tacit __complete se", "As the shell does")], isHidden: true)

    static let tree = CommandTree(
        program: "tacit", "Send and receive private messages", options: [json, quiet, nul, profile, color],
        sections: [
            CommandTree.Section("Daily", [send, connect]),
            CommandTree.Section(
                "Nouns",
                [
                    Command(noun: "contact", "Keep contacts", verbs: [contactList, contactRename]),
                    Command(
                        noun: "daemon", "Receive all the time", verbs: [run, mark], defaultVerb: "run",
                        manualSection: 8,
                        manual: [
                            .heading("Files"), .text("In the folder:"), .subheading("Logs"),
                            .term("a-b", "(restart)", meaning: "The log."), .term("c", meaning: "Nothing."),
                        ]),
                ]),
            CommandTree.Section("Other", [help, complete]),
        ],
        topics: [CommandTree.Topic("targets", "How people are named", "A name starts with @.\n\n  @alice\n")],
        settings: [confirms, place],
        exits: [
            ExitMeaning(0, "promised stage reached"), ExitMeaning(64, "bad command line"),
            ExitMeaning(75, "try again later"),
        ],
        commonExits: [64])

    /// The values of a command line, or nil if it asks for help.
    static func parse(
        _ words: [String], _ environment: [String: String] = [:], _ settings: Settings = .none
    ) throws(UsageError) -> Parsed? {
        let request = try tree.parse(arguments: words, environment: environment, settings: settings)
        return if case .run(let parsed) = request { parsed } else { nil }
    }

    /// Files that say this, the strongest first: `/1`, `/2`.
    static func settings(_ texts: String...) -> Settings {
        Settings(texts.enumerated().map { ("/\($0 + 1)", SettingsText(Array($1.utf8))) })
    }
}
