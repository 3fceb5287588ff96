import CommandKit
import Testing

@Suite struct ParserTests {
    // MARK: - What is understood

    /// The words, and the values of `send` as one line.
    static let sends: [(words: [String], values: String)] = [
        (["send", "@a"], "@a nil sent 30s [] 0"),
        (["send", "@a", "hi"], "@a hi sent 30s [] 0"),
        (["send", "@a", "-"], "@a - sent 30s [] 0"),
        (["send", "@a", ""], "@a  sent 30s [] 0"),
        (["send", "@Ann Lee", "a b"], "@Ann Lee a b sent 30s [] 0"),
        (["send", "--wait", "queued", "@a"], "@a nil queued 30s [] 0"),
        (["send", "--wait=queued", "@a"], "@a nil queued 30s [] 0"),
        (["send", "@a", "--wait", "queued"], "@a nil queued 30s [] 0"),
        (["send", "-w", "queued", "@a"], "@a nil queued 30s [] 0"),
        (["send", "@a", "--wait", "queued", "--wait=delivered"], "@a nil delivered 30s [] 0"),
        (["send", "@a", "-t", "500ms"], "@a nil sent 500ms [] 0"),
        (["send", "@a", "--attach", "x", "-a", "y", "--attach=z=1"], "@a nil sent 30s [x y z=1] 0"),
        // Words that fit follow the value, up to the first other one.
        (["send", "@a", "--attach", "1.txt", "2.txt", "3.txt"], "@a nil sent 30s [1.txt 2.txt 3.txt] 0"),
        (["send", "@a", "--attach", "x", "2.txt", "hi"], "@a hi sent 30s [x 2.txt] 0"),
        (["send", "@a", "-a", "1.txt", "-q", "2.txt"], "@a 2.txt sent 30s [1.txt] 1"),
        (["send", "@a", "1.txt", "-a", "2.txt", "-a", "3.txt"], "@a 1.txt sent 30s [2.txt 3.txt] 0"),
        (["send", "@a", "--attach=1.txt", "2.txt"], "@a 2.txt sent 30s [1.txt] 0"),
        (["send", "@a", "--attach", "1.txt", "--", "2.txt"], "@a 2.txt sent 30s [1.txt] 0"),
        (["send", "@a", "--attach", "-"], "@a nil sent 30s [-] 0"),
        (["send", "@a", "-q", "-q"], "@a nil sent 30s [] 2"),
        (["send", "@a", "-qq"], "@a nil sent 30s [] 2"),
        (["-q", "send", "-q", "@a", "--quiet"], "@a nil sent 30s [] 3"),
        (["send", "--", "@a", "-hello"], "@a -hello sent 30s [] 0"),
        (["send", "@a", "--", "--wait"], "@a --wait sent 30s [] 0"),
        (["send", "@a", "--", "--"], "@a -- sent 30s [] 0"),
        (["send", "--", "-5", "-h"], "-5 -h sent 30s [] 0"),
        (["--", "send", "@a"], "@a nil sent 30s [] 0"),
        // Words with a space, or a character that no option has, are texts.
        (["send", "@a", "-high load on host"], "@a -high load on host sent 30s [] 0"),
        (["send", "@a", "-h is help"], "@a -h is help sent 30s [] 0"),
        (["send", "@a", "-10 °C"], "@a -10 °C sent 30s [] 0"),
        (["send", "@a", "- item"], "@a - item sent 30s [] 0"),
        (["send", "@a", "->"], "@a -> sent 30s [] 0"),
        (["send", "@a", "-:)"], "@a -:) sent 30s [] 0"),
        (["send", "@a", "-ö"], "@a -ö sent 30s [] 0"),
        (["send", "@a", "-x=1 or 2"], "@a -x=1 or 2 sent 30s [] 0"),
        (["send", "@a", "--json is a flag"], "@a --json is a flag sent 30s [] 0"),
        (["send", "@a", "--total=1 of 2"], "@a --total=1 of 2 sent 30s [] 0"),
        (["send", "@a", "-- signature"], "@a -- signature sent 30s [] 0"),
        (["send", "@a", "--help me"], "@a --help me sent 30s [] 0"),
        (["send", "@a", "--once", "-a b"], "@a nil sent 30s [] 0"),
    ]

    @Test(arguments: sends.indices)
    func readsSend(index: Int) throws {
        let (words, values) = Self.sends[index]
        let parsed = try #require(try Sample.parse(words))
        #expect(parsed.command.path == ["send"])
        let timeout = parsed[Sample.timeout]
        let time = timeout == .milliseconds(500) ? "500ms" : timeout == .seconds(30) ? "30s" : "\(timeout)"
        let attached = parsed[Sample.attach].joined(separator: " ")
        let line =
            "\(parsed[Sample.target]) \(parsed[Sample.text] ?? "nil") \(parsed[Sample.wait]) \(time) "
            + "[\(attached)] \(parsed[Sample.quiet])"
        #expect(line == values)
    }

    @Test func globalOptionsStandAnywhere() throws {
        for words in [
            ["--json", "--profile", "work", "contact", "list"], ["contact", "--json", "list", "--profile=work"],
            ["contact", "--profile", "work", "--json", "list"], ["contact", "list", "--profile", "work", "--json"],
        ] {
            let parsed = try #require(try Sample.parse(words))
            #expect(parsed.command.path == ["contact", "list"])
            #expect(parsed[Sample.json])
            #expect(parsed[Sample.profile] == "work")
        }
    }

    @Test func aFlagCanBeTakenBackAndTheLastOneWins() throws {
        #expect(try Sample.parse(["connect"])?[Sample.qr] == true)
        #expect(try Sample.parse(["connect", "--no-qr"])?[Sample.qr] == false)
        #expect(try Sample.parse(["connect", "--no-qr", "--qr"])?[Sample.qr] == true)
        #expect(try Sample.parse(["connect", "--qr", "--no-qr"])?[Sample.qr] == false)
        // What a file or a variable may have said can be taken back, too.
        let settings = Sample.settings("[global]\njson = yes\nquiet = 2")
        let set = try Sample.tree.parse(arguments: ["connect"], environment: [:], settings: settings)
        guard case .run(let set) = set else { return }
        #expect(set[Sample.json] && set[Sample.quiet] == 2)
        let words = ["connect", "--no-json", "--no-quiet", "-q"]
        guard case .run(let taken) = try Sample.tree.parse(arguments: words, environment: [:], settings: settings)
        else { return }
        #expect(!taken[Sample.json] && taken[Sample.quiet] == 1)
    }

    @Test func flagsJoinAndADigitCanBeALetter() throws {
        let parsed = try #require(try Sample.parse(["send", "-nq0q", "@a"]))
        #expect(parsed[Sample.dryRun])
        #expect(parsed[Sample.quiet] == 2)
        #expect(parsed[Sample.nul])
        #expect(try Sample.parse(["connect", "-0"])?[Sample.nul] == true)
    }

    @Test func aValueMayLookLikeANegativeNumber() throws {
        #expect(try Sample.parse(["connect", "--since", "-2h"])?[Sample.since] == "-2h")
        #expect(try Sample.parse(["connect", "--since=-x"])?[Sample.since] == "-x")
        #expect(try Sample.parse(["connect", "--since="])?[Sample.since] == "")
        #expect(throws: UsageError.missingValue(option: "--since", of: ["connect"], expected: "a text")) {
            try Sample.parse(["connect", "--since", "-0"])
        }
    }

    @Test func program_without_command_is_valid() throws {
        #expect(try Sample.parse([])?.command.path == [])
        #expect(try Sample.parse(["--json"])?[Sample.json] == true)
    }

    @Test func aNounCanHaveADefaultVerb() throws {
        #expect(try Sample.parse(["daemon"])?.command.path == ["daemon", "run"])
        #expect(try Sample.parse(["daemon", "--json"])?.command.path == ["daemon", "run"])
        #expect(try Sample.parse(["daemon", "--force"])?[Sample.force] == true)
        #expect(try Sample.parse(["daemon", "mark", "delivered"])?[Sample.state] == .delivered)
    }

    @Test func repeatedArgumentsCollectAll() throws {
        let parsed = try #require(try Sample.parse(["contact", "rename", "@bob", "Robert", "the", "-"]))
        #expect(parsed[Sample.contactName] == "@bob")
        #expect(parsed[Sample.names] == ["Robert", "the", "-"])
        #expect(try Sample.parse(["help"])?[Sample.subject] == [])
    }

    @Test func undeclared_option_traps() async {
        await #expect(processExitsWith: .failure) {
            _ = try Sample.parse(["contact", "list"])?[Sample.wait]
        }
        await #expect(processExitsWith: .failure) {
            _ = try Sample.parse(["contact", "list"])?[Sample.target]
        }
    }

    // MARK: - What is refused

    static let mistakes: [(words: [String], error: UsageError)] = [
        (["snd", "@a"], .unknownCommand("snd", below: [], suggestions: ["send"])),
        (["sen", "@a"], .unknownCommand("sen", below: [], suggestions: ["send"])),
        (["se"], .unknownCommand("se", below: [], suggestions: [])),
        (["xyzzy"], .unknownCommand("xyzzy", below: [], suggestions: [])),
        (["__complet"], .unknownCommand("__complet", below: [], suggestions: [])),
        (["contact", "lits"], .unknownCommand("lits", below: ["contact"], suggestions: ["list"])),
        (["daemon", "sotp"], .unknownCommand("sotp", below: ["daemon"], suggestions: [])),
        (["contact"], .missingVerb(of: ["contact"], verbs: ["list", "rename"])),
        (["contact", "--json"], .missingVerb(of: ["contact"], verbs: ["list", "rename"])),
        (["send", "--wiat", "sent"], .unknownOption("--wiat", of: ["send"], suggestions: ["--wait"])),
        (["send", "--jsn"], .unknownOption("--jsn", of: ["send"], suggestions: ["--json"])),
        (["send", "--time", "1s"], .unknownOption("--time", of: ["send"], suggestions: [])),
        (["send", "--timeou", "1s"], .unknownOption("--timeou", of: ["send"], suggestions: ["--timeout"])),
        (["send", "-json"], .unknownOption("-json", of: ["send"], suggestions: ["--json"])),
        (["send", "-5"], .unknownOption("-5", of: ["send"], suggestions: [])),
        (["send", "-2h"], .unknownOption("-2h", of: ["send"], suggestions: [])),
        (["send", "-high"], .unknownOption("-high", of: ["send"], suggestions: [])),
        (["send", "--dry_run"], .unknownOption("--dry_run", of: ["send"], suggestions: ["--dry-run"])),
        (["send", "-dry-run"], .unknownOption("-dry-run", of: ["send"], suggestions: ["--dry-run"])),
        (["send", "-qz"], .unknownOption("-qz", of: ["send"], suggestions: [])),
        (["send", "--no-color"], .unknownOption("--no-color", of: ["send"], suggestions: [])),
        (["connect", "--no-q"], .unknownOption("--no-q", of: ["connect"], suggestions: ["--no-qr"])),
        (["send", "---"], .unknownOption("---", of: ["send"], suggestions: [])),
        (["--wait", "sent", "send", "@a"], .optionBeforeCommand("--wait")),
        (["-n", "send", "@a"], .optionBeforeCommand("-n")),
        (["contact", "--last", "3", "list"], .optionBeforeCommand("--last")),
        (["send", "@a", "--json=1"], .unexpectedValue(option: "--json", of: ["send"])),
        (["connect", "--no-qr=1"], .unexpectedValue(option: "--no-qr", of: ["connect"])),
        (["send", "-nw", "sent", "@a"], .joinedLetter("w", of: ["send"], option: "wait")),
        (["send", "-wsent", "@a"], .joinedLetter("w", of: ["send"], option: "wait")),
        (["send", "-w=sent", "@a"], .joinedLetter("w", of: ["send"], option: "wait")),
        (["send", "@a", "--once"], .missingValue(option: "--once", of: ["send"], expected: "a text")),
        (["send", "@a", "--once", "--json"], .missingValue(option: "--once", of: ["send"], expected: "a text")),
        (
            ["send", "@a", "-w", "--"],
            .missingValue(option: "-w", of: ["send"], expected: "queued, sent or delivered")
        ),
        (
            ["send", "@a", "--wait", "snt"],
            .invalidValue(
                .option("--wait"), word: "snt", expected: "queued, sent or delivered", suggestions: ["sent"])
        ),
        (
            ["send", "@a", "-t", "30"],
            .invalidValue(
                .option("-t"), word: "30", expected: "a duration such as 500ms, 30s or 10m", suggestions: [])
        ),
        (
            ["contact", "list", "--last", "1001"],
            .invalidValue(.option("--last"), word: "1001", expected: "a number 1 to 1000", suggestions: [])
        ),
        (
            ["daemon", "mark", "Sent"],
            .invalidValue(
                .argument("STATE"), word: "Sent", expected: "queued, sent or delivered", suggestions: ["sent"])
        ),
        (["send"], .missingArgument("TARGET", of: ["send"])),
        (["contact", "rename", "@bob"], .missingArgument("NAME", of: ["contact", "rename"])),
        (["send", "@a", "b", "c"], .unexpectedArgument("c", of: ["send"])),
        (["daemon", "run", "x"], .unexpectedArgument("x", of: ["daemon", "run"])),
    ]

    @Test(arguments: mistakes.indices)
    func refuses(index: Int) {
        let (words, error) = Self.mistakes[index]
        #expect(throws: error) { try Sample.parse(words) }
    }

    // MARK: - Help

    static let questions: [(words: [String], path: [String], isFull: Bool)] = [
        (["-h"], [], false),
        (["--help"], [], true),
        (["send", "-h"], ["send"], false),
        (["send", "--help", "-h"], ["send"], true),
        (["send", "@a", "hi", "--wait", "-h"], ["send"], false),
        (["send", "--nonsense", "--help"], ["send"], true),
        (["-h", "send"], ["send"], false),
        (["contact", "-h"], ["contact"], false),
        (["contact", "--profile", "list", "rename", "-qh"], ["contact", "rename"], false),
        (["contact", "--profile=x", "list", "send", "-h"], ["contact", "list"], false),
        (["daemon", "-h"], ["daemon"], false),
        (["connect", "--since", "-2h", "-h"], ["connect"], false),
    ]

    @Test(arguments: questions.indices)
    func helpWinsOverMistakes(index: Int) throws {
        let (words, path, isFull) = Self.questions[index]
        guard case .help(let command, let wantsAll) = try Sample.tree.parse(arguments: words, environment: [:]) else {
            Issue.record("no help for \(words)")
            return
        }
        #expect(command.path == path)
        #expect(wantsAll == isFull)
    }

    @Test func helpIsAnOrdinaryWordBehindTwoDashesAndAfterAnUnknownCommand() throws {
        #expect(try Sample.parse(["send", "@a", "--", "-h"])?[Sample.text] == "-h")
        #expect(throws: UsageError.unknownCommand("snd", below: [], suggestions: ["send"])) {
            try Sample.parse(["snd", "-h"])
        }
    }
}
