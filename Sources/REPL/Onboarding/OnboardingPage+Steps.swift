import ChatCore

/// What the first steps say.
extension OnboardingPage {
    private static func title(_ number: Int, _ subject: String) -> String { "step \(number) of 4: \(subject)" }

    /// Paragraphs.
    static let greeting = [
        "tacit is a private messenger: no account, no phone number, and only you and your contacts can read what you write.",
        "Four short questions come first. Ctrl-D or quit leaves; the next start goes on there.",
    ]

    /// What opens the store.
    ///
    /// - Parameters:
    ///   - store: The folder of the store.
    ///   - keyFile: Where a key file would be.
    static func key(store: String, keyFile: String) -> OnboardingPage {
        OnboardingPage(
            title: title(1, "the key"),
            words: ["Everything is kept in this folder, encrypted:", store, "What opens it?"],
            options: [
                Option(name: "passphrase", words: "typed at every start; nobody can bring it back"),
                Option(name: "key file", words: "made for you, and found by itself: \(keyFile)"),
            ],
            question: "1 or 2?", standard: 1)
    }

    static let name = OnboardingPage(
        title: title(2, "your name"),
        words: ["This is what contacts see. It need not be your real name, and can be changed."],
        question: "Name:")

    /// Whose relays are used: those of all operators, of one of them, or others.
    static let relays = OnboardingPage(
        title: title(3, "relays"),
        words: ["Relays keep messages until they are fetched. They cannot read them. Whose do you want to use?"],
        options: [
            Option(
                name: operators.map(\.tradeName).joined(separator: " and "),
                words: "for everybody; neither sees both ends")
        ] + operators.map { Option(name: $0.tradeName, words: "for everybody") } + [
            Option(name: "another", words: "one that you or somebody you trust runs")
        ],
        question: "1 to \(operators.count + 2)?", standard: 1)

    /// The operators of public relays.
    static let operators = ServerOperator.Tag.allCases

    /// The operators that an option of ``relays`` means; none for a relay of one's own.
    static func operators(of option: Int) -> [ServerOperator.Tag] {
        if option == 1 { return operators }
        return operators.indices.contains(option - 2) ? [operators[option - 2]] : []
    }

    static let ownRelay = OnboardingPage(
        title: "a relay of your own",
        words: ["Paste its address, which begins with smp://; back goes back."],
        question: "Address:", isDetour: true)

    static let notifications = OnboardingPage(
        title: title(4, "how messages arrive"),
        words: ["While this is open they come at once. And otherwise?"],
        options: [
            Option(name: "instant", words: "a daemon in the background"),
            Option(name: "periodic", words: "fetched every ten minutes"),
            Option(name: "off", words: "only when you start tacit"),
        ],
        question: "1 to 3?", standard: 3)

    /// What is to start tacit, for a mode in which it has to be started; nil for another.
    static func starter(of mode: String) -> OnboardingPage? {
        let set = ["notify-mode", mode]
        let systemd = Option(name: "systemd", words: "a service of yours")
        let cron = Option(name: "cron", words: "a line in your crontab")
        let later = Option(name: "later", words: "notify-mode --install says more")
        switch mode {
        case "instant":
            return OnboardingPage(
                title: "what starts the daemon", words: ["What is written is shown first."], options: [systemd, later],
                question: "1 or 2?", standard: 1, commands: [set + ["--install", "systemd"], set], isDetour: true)
        case "periodic":
            return OnboardingPage(
                title: "what fetches", words: ["What is written is shown first."], options: [systemd, cron, later],
                question: "1 to 3?", standard: 1,
                commands: [set + ["--install", "systemd"], set + ["--install", "cron"], set], isDetour: true)
        default: return nil
        }
    }

    /// The page of a stage; nil when all is done. In a store that is there already the welcome is the first question.
    init?(_ stage: OnboardingStage) {
        switch stage {
        case .welcome, .profile: self = .name
        case .operators: self = .relays
        case .notifications: self = .notifications
        case .complete: return nil
        }
    }
}
