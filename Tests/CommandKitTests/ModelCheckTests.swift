import CommandKit
import Testing

/// Each kind of mistake in a declaration is found, and nothing else is.
@Suite struct ModelCheckTests {
    @Test func aSoundTreeHasNoDefects() {
        #expect(Sample.tree.defects() == [])
    }

    // MARK: - Commands

    @Test func twoCommandsOfOneName() {
        expect([.init("", .duplicate("go"))], in: [command("go"), command("go")])
    }

    @Test func aVerbInTheWrongNoun() {
        expect(
            [.init("boat row", .misplaced)],
            in: [Command(noun: "ship", "Ships", verbs: [command("boat row", example: "tacit ship row")])])
    }

    @Test func variablesOfOthers() {
        let option = Option<String?>("proxy", "A", .text(), variable: "ALL_PROXY")
        expect([.init("go --proxy", .badName)], in: [command("go", options: [option])])
    }

    @Test func badNames() {
        expect([.init("Go", .badName)], in: [command("Go")])
        expect([.init("go_on", .badName)], in: [command("go_on")])
        expect([.init("__go", .badName)], in: [command("__go")])
        expect([], in: [command("__go", isHidden: true), command("go-2")])
    }

    @Test func badAbstracts() {
        expect([.init("go", .noAbstract)], in: [command("go", abstract: "")])
        expect([.init("go", .badAbstract)], in: [command("go", abstract: "Go there.")])
        expect([.init("go", .badAbstract)], in: [command("go", abstract: "go there")])
        expect([.init("go", .badAbstract)], in: [command("go", abstract: "Go\nthere")])
        let flag = Option<Bool>(flag: "fast", "goes fast")
        expect([.init("go --fast", .badAbstract)], in: [command("go", options: [flag])])
        let place = Positional<String?>(optional: "PLACE", "", .text())
        expect([.init("go PLACE", .noAbstract)], in: [command("go", positionals: [place])])
    }

    @Test func aVerbWithoutPromiseAndANounWithoutVerbs() {
        expect([.init("go", .noPromise)], in: [command("go", promise: "")])
        expect(
            [.init("go", .noPromise), .init("go", .noExample)],
            in: [Command("go", "Go", promise: "", store: .none, examples: [])])
        expect([.init("ship", .nounWithoutVerbs)], in: [Command(noun: "ship", "Ships", verbs: [])])
        expect(
            [.init("ship", .unknownDefaultVerb("sail"))],
            in: [Command(noun: "ship", "Ships", verbs: [command("ship row")], defaultVerb: "sail")])
    }

    @Test func topicsAndExitCodesMustExist() {
        expect([.init("go", .unknownTopic("sea"))], in: [command("go", topics: ["time", "sea"])])
        expect([.init("go", .undocumentedExit(3))], in: [command("go", exits: [75, 3])])
        expect([.init("", .undocumentedExit(9))], in: [command("go")], commonExits: [64, 9])
        expect([.init("help", .duplicate("time"))], in: [command("time")])
    }

    @Test func argumentsThatNoWordReaches() {
        let needed = Positional<String>("NEEDED", "A", .text())
        let maybe = Positional<String?>(optional: "MAYBE", "A", .text())
        let all = Positional<[String]>(repeated: "ALL", "A", .text(), minimum: 0)
        expect([], in: [command("go", positionals: [needed, maybe, all], example: "tacit go x")])
        expect(
            [.init("go NEEDED", .unreachableArgument)],
            in: [command("go", positionals: [maybe, needed], example: "tacit go x y")])
        expect([.init("go MAYBE", .unreachableArgument)], in: [command("go", positionals: [all, maybe])])
        expect([.init("go", .duplicate("MAYBE"))], in: [command("go", positionals: [maybe, maybe])])
    }

    // MARK: - Examples

    @Test func examples() {
        expect(
            [.init("go", .noExample)], in: [Command("go", "Go", promise: "there", store: .none, examples: [])])
        expect(
            [.init("go", .exampleWithoutCall("ls")), .init("go", .noExampleOfItself)],
            in: [command("go", example: "ls")])
        expect([.init("go", .noExampleOfItself)], in: [command("go", example: "tacit rest"), command("rest")])
        expect(
            [
                .init(
                    "go",
                    .brokenExample(
                        "tacit go --fsat", .unknownOption("--fsat", of: ["go"], suggestions: ["--fast"]))),
                .init("go", .noExampleOfItself),
            ],
            in: [command("go", options: [Option<Bool>(flag: "fast", "Fast")], example: "tacit go --fsat")])
    }

    static let shell: [(line: String, words: [String]?)] = [
        ("tacit go", []),
        ("tacit go 'a b' c\\ d \"e 'f'\"", ["a b", "c d", "e 'f'"]),
        (#"tacit go "a\"b$(date +%F)""#, [#"a"b$(date +%F)"#]),
        ("echo hi | tacit go - > out.txt 2>&1", ["-"]),
        ("tacit go a >out 2> err <in >> log b", ["a", "b"]),
        ("X=1 Y='2 3' exec tacit go a", ["a"]),
        ("ls | xargs -rn1 tacit go a", ["a"]),
        ("tacit go a || echo \"not: $?\" # tacit nonsense", ["a"]),
        ("case $(tacit go a >/dev/null 2>&1; echo $?) in 0) ;; esac", ["a"]),
        ("tacit go 'it''s'\\' fine", ["its'", "fine"]),
        ("tacit go a#b 9", ["a#b", "9"]),
        ("echo 'tacit go'", nil),
        ("", nil),
    ]

    @Test(arguments: shell.indices)
    func readsShell(index: Int) {
        let (line, words) = Self.shell[index]
        let rest = Positional<[String]>(repeated: "WORD", "Words", .text(), minimum: 0)
        let probe = Positional<[Probe]>(
            repeated: "WORD", "Words",
            ValueKind(
                ValueForm("WORD", expected: "one of the expected words"),
                read: { (words ?? []).contains($0) ? Probe() : nil }, write: { _ in "" }), minimum: 0)
        let expected: [ModelDefect] =
            words == nil ? [.init("go", .exampleWithoutCall(line)), .init("go", .noExampleOfItself)] : []
        expect(expected, in: [command("go", positionals: [probe], example: line)])
        // The same words again, so that a lost word is noticed too.
        let calls = command("go", positionals: [rest], example: line)
        let exact = Command(
            "go", "Go", promise: "there", store: .none,
            positionals: (words ?? []).indices.map { Positional<String>("WORD-\($0)", "Word", .text()) },
            examples: calls.examples)
        expect(expected, in: [exact])
    }

    private struct Probe: Sendable {}

    // MARK: - Options

    @Test func namesAndLettersOfOneCommand() {
        let fast = Option<Bool>(flag: "fast", letter: "f", "Fast"), far = Option<Bool>(flag: "far", letter: "f", "Far")
        expect(
            [.init("go", .duplicate("fast"))], in: [command("go", options: [fast, Option<Bool>(flag: "fast", "A")])])
        expect(
            [.init("go", .duplicate("-f")), .init("go --far", .twoMeanings(of: "f", otherwise: "go --fast"))],
            in: [command("go", options: [fast, far])])
        expect([.init("go", .duplicate("global"))], in: [command("go", options: [Option<Bool>(flag: "global", "A")])])
        expect(
            [.init("go", .duplicate("no-fast"))],
            in: [
                command(
                    "go",
                    options: [Option<Bool>(flag: "fast", "A", isNegatable: true), Option<Bool>(flag: "no-fast", "A")])
            ])
        let help = Option<Bool>(flag: "hurry", letter: "h", "Hurry")
        expect(
            [.init("go", .duplicate("-h")), .init("go --hurry", .twoMeanings(of: "h", otherwise: " --help"))],
            in: [command("go", options: [help])])
    }

    @Test func optionNames() {
        for name in ["", "x", "Fast", "-fast", "fast-", "fa--st", "fast_car", "fäst"] {
            expect([.init("go --\(name)", .badName)], in: [command("go", options: [Option<Bool>(flag: name, "A")])])
        }
        let strange = Option<Bool>(flag: "fast", letter: "=", "A")
        expect([.init("go --fast", .badName)], in: [command("go", options: [strange])])
    }

    @Test func oneFlagWithTwoMeanings() {
        let flag = Option<Bool>(flag: "last", letter: "l", "A"),
            value = Option<String?>("last", letter: "l", "A", .text())
        expect(
            [.init("rest --last", .twoForms(otherwise: "go --last"))],
            in: [command("go", options: [flag]), command("rest", options: [value])])
        expect(
            [.init("rest --long", .twoMeanings(of: "l", otherwise: "go --last"))],
            in: [
                command("go", options: [flag]),
                command("rest", options: [Option<Bool>(flag: "long", letter: "l", "A")]),
            ])
        expect([], in: [command("go", options: [flag]), command("rest", options: [flag])])
    }

    @Test func oneVariableForTwoOptions() {
        let early = Option<String?>("early", "A", .text(), variable: "TACIT_TIME")
        let late = Option<String?>("late", "A", .text(), variable: "TACIT_TIME")
        expect([.init("go", .sharedVariable("TACIT_TIME"))], in: [command("go", options: [early, late])])
        expect([], in: [command("go", options: [early]), command("rest", options: [early])])
        expect(
            [.init("go-on", .sharedVariable("TACIT_GO_ON_FAST"))],
            in: [
                command("go", options: [Option<Bool>(flag: "on-fast", "A")]),
                command("go-on", options: [Option<Bool>(flag: "fast", "A")]),
            ].filter { !$0.path.isEmpty },
            ignoring: "TACIT_GO_ON_GLOBAL")
    }

    // MARK: - Reports

    @Test func reports() {
        let field = ReportForm.Field.always("name", .text, "A name")
        func defects(_ forms: ReportForm..., of defects: [ModelDefect]) {
            expect(defects, in: [command("go", reports: forms)])
        }
        defects(ReportForm("boat", "A boat", [field]), ReportForm("boat", "A boat", [field]), of: [])
        defects(
            ReportForm("boat", "A boat", [field]), ReportForm("boat", "A boat", []),
            of: [.init("schema boat", .duplicate("boat"))])
        defects(ReportForm("Boat", "A boat", []), of: [.init("schema Boat", .badName)])
        defects(ReportForm("boat", "a boat.", []), of: [.init("schema boat", .badAbstract)])
        defects(ReportForm("boat", "A boat", [field, field]), of: [.init("schema boat", .duplicate("name"))])
        defects(
            ReportForm("boat", "A boat", [.always("type", .text, "A")]), of: [.init("schema boat", .duplicate("type"))])
        defects(
            ReportForm("boat", "A boat", [.always("full-name", .text, "")]),
            of: [.init("schema boat.full-name", .noAbstract), .init("schema boat.full-name", .badName)])
        defects(
            ReportForm("boat", "A boat", [.sometimes("crew", .object([.always("a__b", .text, "A")]), "Who sails")]),
            of: [.init("schema boat.crew.a__b", .badName)])
        defects(
            ReportForm("boat", "A boat", [.always("state", .word(["up", "up"]), "A")]),
            of: [.init("schema boat.state", .duplicate("up"))])
        defects(
            ReportForm("boat", "A boat", plain: ["name", "port", "name"], [field]),
            of: [.init("schema boat", .duplicate("name")), .init("schema boat", .unknownColumn("port"))])
        defects(
            ReportForm("boat", "A boat", plain: ["name"], [field]),
            ReportForm("boat", "A boat", plain: ["type"], [field]),
            of: [])
        let made = ReportForm.Field.always("made_at", .time, "When it was made")
        let kept = ReportForm.Field.always("made", .time, "When it was made").kept(for: "made_at")
        defects(ReportForm("boat", "A boat", [made, kept]), of: [])
        defects(
            ReportForm("boat", "A boat", plain: ["made"], [made, kept]),
            of: [.init("schema boat", .unknownColumn("made"))])
        defects(ReportForm("boat", "A boat", [kept]), of: [.init("schema boat.made", .badSuccessor("made_at"))])
        defects(
            ReportForm("boat", "A boat", [kept, .sometimes("made_at", .time, "When it was made")]),
            of: [.init("schema boat.made", .badSuccessor("made_at"))])
        defects(
            ReportForm("boat", "A boat", [.always("made", .time, "When it was made")]),
            of: [.init("schema boat.made", .badTimeName)])
        defects(
            ReportForm("boat", "A boat", [.sometimes("crew", .objects([.always("at", .text, "A")]), "Who sails")]),
            of: [.init("schema boat.crew.at", .badTimeName)])
    }

    // MARK: - Widths

    @Test func linesThatAreNotWrapped() {
        let wide = "  " + String(repeating: "ab ", count: 27), link = "  https://" + String(repeating: "a", count: 80)
        expect([.init("go", .tooWide(wide))], in: [command("go", discussion: "Go.\n\n\(wide)\n\(link)")])
        expect([], in: [command("go", discussion: wide.trimmed)])
        let long = "tacit go" + String(repeating: " ", count: 93)
        expect([.init("go", .tooWide(long))], in: [command("go", example: long)])
        let title = "G" + String(repeating: "o", count: 72)
        expect([.init("go", .tooWide(title))], in: [command("go", abstract: title)])
    }

    // MARK: - Building

    private func command(
        _ path: String, abstract: String = "Go", promise: String = "it went",
        positionals: [any DeclaresPositional] = [],
        options: [any DeclaresOption] = [], exits: [Int32] = [], topics: [String] = [], isHidden: Bool = false,
        example: String? = nil, reports: [ReportForm] = [], discussion: String = ""
    ) -> Command {
        Command(
            path, abstract, promise: promise, store: .none, positionals: positionals, options: options,
            examples: [Example(example ?? "tacit \(path)", "Go")], exits: exits, reports: reports,
            topics: topics, discussion: discussion, isHidden: isHidden)
    }

    private func expect(
        _ defects: [ModelDefect], in commands: [Command], commonExits: [Int32] = [64], ignoring: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let tree = CommandTree(
            program: "tacit", "Travel", options: [Option<Bool>(flag: "global", "A")],
            sections: [CommandTree.Section("All", commands)],
            topics: [CommandTree.Topic("time", "When", "Now.")],
            exits: [ExitMeaning(64, "usage"), ExitMeaning(75, "later")], commonExits: commonExits)
        let found = tree.defects().filter { defect in
            ignoring.map { defect.mistake != .sharedVariable($0) } ?? true
        }
        #expect(found == defects, sourceLocation: sourceLocation)
    }
}

extension String {
    /// Without the spaces in front, which keep lines from being wrapped.
    fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
