import ChatCore

/// What the first steps say.
extension OnboardingPage {
    private static func title(_ number: Int, _ subject: String) -> String { "step \(number) of 4: \(subject)" }

    /// Paragraphs.
    static let greeting = [
        "tacit is a private messenger: no account, no phone number, and only you and your contacts can read what you write.",
        "Four short questions follow. Ctrl-D or quit leaves; the next start resumes there.",
    ]

    /// What opens the store.
    ///
    /// - Parameters:
    ///   - store: The folder of the store.
    ///   - keyFile: Where a key file would be.
    static func key(store: String, keyFile: String) -> OnboardingPage {
        OnboardingPage(
            title: title(1, "the key"),
            words: ["tacit stores everything in this folder, encrypted:", store, "Choose the key of the store:"],
            options: [
                Option(name: "passphrase", words: "typed at every start; it cannot be recovered"),
                Option(name: "key file", words: "created now and used automatically: \(keyFile)"),
            ],
            question: "1 or 2?", standard: 1)
    }

    static let name = OnboardingPage(
        title: title(2, "your name"),
        words: ["Your contacts see this name. It need not be your real name, and you can change it later."],
        question: "Name:")

    /// Whose relays are used: those of all operators, of one of them, or others.
    static let relays = OnboardingPage(
        title: title(3, "relays"),
        words: [
            "Relays store messages until they are received. They cannot read them. Which relays do you want to use?"
        ],
        options: [
            Option(
                name: operators.map(\.tradeName).joined(separator: " and "),
                words: "public; neither operator sees both ends")
        ] + operators.map { Option(name: $0.tradeName, words: "public") } + [
            Option(name: "another", words: "your own, or one that you trust")
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
        title: "another relay",
        words: ["Paste the relay address, which begins with smp://. Type back to choose again."],
        question: "Address:", isDetour: true)

    static let notifications = OnboardingPage(
        title: title(4, "receiving messages"),
        words: ["An open session receives messages at once. How are they received otherwise?"],
        options: [
            Option(name: "instant", words: "a daemon in the background"),
            Option(name: "periodic", words: "a fetch every ten minutes"),
            Option(name: "off", words: "nothing, until you start tacit"),
        ],
        question: "1 to 3?", standard: 3)

    /// What is to start tacit, for a mode in which it has to be started; nil for another.
    static func starter(of mode: String) -> OnboardingPage? {
        let set = ["notify-mode", mode]
        let systemd = Option(name: "systemd", words: "a user service")
        let cron = Option(name: "cron", words: "a line in your crontab")
        let later = Option(name: "later", words: "with notify-mode --install")
        switch mode {
        case "instant":
            return OnboardingPage(
                title: "starting the daemon", words: ["Files are shown before they are written."],
                options: [systemd, later],
                question: "1 or 2?", standard: 1, commands: [set + ["--install", "systemd"], set], isDetour: true)
        case "periodic":
            return OnboardingPage(
                title: "starting the fetch", words: ["Files are shown before they are written."],
                options: [systemd, cron, later],
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
