import CommandKit
import Testing

/// `-3` for an option such as `--last 3`, as with head(1).
@Suite struct NumeralTests {
    private static let last = Option<Int?>("last", letter: "n", "How many", .count(in: 1...500)).writtenAsNumeral
    private static let since = Option<String?>("since", "From when", .text("TIME"))
    private static let word = Positional<String?>(optional: "WORD", "Any word", .text())
    private static let show = Command(
        "show", "Show some", promise: "they were shown", store: .none, positionals: [word], options: [last, since],
        examples: [Example("box show -3", "Three")])
    private static let put = Command(
        "put", "Put one", promise: "it is there", store: .none, positionals: [word],
        examples: [Example("box put this", "This")])
    private static let nul = Option<Bool>(flag: "null", letter: "0", "End with NUL")
    private static let tree = CommandTree(
        program: "box", "A box", options: [nul], sections: [.init("All", [show, put])], exits: [])

    private static func parse(_ words: [String]) throws(UsageError) -> Parsed? {
        if case .run(let parsed) = try tree.parse(arguments: words, environment: [:]) { parsed } else { nil }
    }

    @Test(arguments: [
        (["show", "-3"], 3), (["show", "-42", "x"], 42), (["show", "x", "-007"], 7),
        (["show", "-3", "--last", "5"], 5),
        (["show", "-n", "5", "-3"], 3), (["show"], nil), (["show", "--", "-3"], nil),
    ])
    func aNumberBehindADashIsTheValue(words: [String], count: Int?) throws {
        #expect(try Self.parse(words)?[Self.last] == count)
    }

    @Test func theValueOfAnotherOptionStaysOne() throws {
        let parsed = try #require(try Self.parse(["show", "--since", "-20", "-3"]))
        #expect(parsed[Self.since] == "-20" && parsed[Self.last] == 3)
        #expect(try Self.parse(["show", "-3 pears"])?[Self.word] == "-3 pears")
    }

    @Test func aLetterThatIsADigitStaysOne() throws {
        let parsed = try #require(try Self.parse(["show", "-0", "-10"]))
        #expect(parsed[Self.nul] && parsed[Self.last] == 10)
        #expect(try Self.parse(["show", "-00"])?[Self.last] == nil)
    }

    @Test func otherNumbersAreRefused() {
        let expected = "a number 1 to 500"
        for word in ["-000501", "-501", "-99999999999999999999"] {
            #expect(
                throws: UsageError.invalidValue(
                    .option(word), word: String(word.dropFirst()), expected: expected, suggestions: [])
            ) { try Self.parse(["show", word]) }
        }
        #expect(throws: UsageError.unknownOption("-3", of: ["put"], suggestions: [])) { try Self.parse(["put", "-3"]) }
        #expect(throws: UsageError.unknownOption("-3x", of: ["show"], suggestions: [])) {
            try Self.parse(["show", "-3x"])
        }
    }

    @Test func helpShowsTheShortForm() {
        let lines = Self.tree.fullHelp(for: Self.show).split(separator: "\n")
        #expect(lines.contains("  -n, --last N      How many (also -N)"))
    }
}
