import CommandKit
import Testing

/// The values that single words stand for, and suggestions for mistyped ones.
@Suite struct WordTests {
    static let durations: [(word: String, milliseconds: Int64?)] = [
        ("500ms", 500), ("30s", 30_000), ("10m", 600_000), ("2h", 7_200_000), ("7d", 604_800_000), ("0s", 0),
        ("007s", 7000), ("36500d", 3_153_600_000_000), ("36501d", nil), ("9223372036854775807ms", nil),
        ("106751991168d", nil), ("", nil), ("30", nil),
        ("s", nil), ("-1s", nil), ("+1s", nil), ("1.5s", nil), ("1h30m", nil), ("1 s", nil), ("1S", nil), ("1min", nil),
        ("99999999999999999999s", nil), ("١s", nil),
    ]

    @Test(arguments: durations.indices)
    func readsDurations(index: Int) {
        let (word, milliseconds) = Self.durations[index]
        let parsed = try? Sample.parse(["send", "@a", "--timeout=\(word)"])
        #expect(parsed?[Sample.timeout] == milliseconds.map { .milliseconds($0) })
    }

    static let sizes: [(word: String, bytes: Int?)] = [
        ("0", 0), ("800", 800), ("64K", 65_536), ("10M", 10_485_760), ("2G", 2_147_483_648), ("1T", 1_099_511_627_776),
        ("8388607T", 9_223_370_937_343_148_032), ("8388608T", nil), ("1k", nil), ("1MB", nil), ("K", nil), ("", nil),
        ("-1", nil), ("0x10", nil), ("9223372036854775807", .max), ("9223372036854775808", nil),
    ]

    @Test(arguments: sizes.indices)
    func readsSizes(index: Int) {
        let (word, bytes) = Self.sizes[index]
        let parsed = try? Sample.parse(["contact", "list", "--limit=\(word)"])
        #expect(parsed?[Sample.limit] == bytes)
    }

    @Test func defaultsAreWrittenAsTheyAreRead() {
        let times: [(Duration, String)] = [
            (.zero, "0s"), (.milliseconds(1500), "1500ms"), (.seconds(90), "90s"), (.seconds(7200), "2h"),
            (.seconds(86_400), "1d"),
        ]
        for (time, text) in times {
            #expect(Option<Duration>("x-x", "X", .duration(), default: time).declaration.defaultText == text)
        }
        for (size, text) in [(0, "0"), (1, "1"), (1024, "1K"), (1536, "1536"), (3 << 20, "3M")] {
            #expect(Option<Int>("x-x", "X", .size(), default: size).declaration.defaultText == text)
        }
    }

    static let slips: [(word: String, candidates: [String], expected: [String])] = [
        ("snd", ["send"], ["send"]),
        ("sned", ["send"], ["send"]),
        ("ab", ["abc"], []),
        ("abc", ["abcd"], ["abcd"]),
        ("abcd", ["abef"], []),
        ("abcde", ["abxye"], ["abxye"]),
        ("conect", ["contact", "connect"], ["connect", "contact"]),
        ("conncet", ["connect", "contact"], ["connect"]),
        ("list", ["list"], []),
        ("lits", ["list", "lists", "last"], ["list", "lists"]),
        ("", ["a", "ab"], []),
        ("timeout", ["timeouts", "time", "timer"], ["timeouts"]),
        ("abcdef", ["abcdeg", "abcdeh", "abcdei", "abcdej"], ["abcdeg", "abcdeh", "abcdei"]),
        ("naïve", ["naive"], ["naive"]),
    ]

    @Test(arguments: slips.indices)
    func suggests(index: Int) {
        let (word, candidates, expected) = Self.slips[index]
        #expect(Suggestion.closest(to: word, among: candidates) == expected)
    }

}
