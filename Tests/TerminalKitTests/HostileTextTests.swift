import ByteCoding
import TerminalKit
import TestSupport
import Testing

/// Text of a peer that tries to be more than text.
@Suite struct HostileTextTests {
    /// The text, and how it is shown on one line.
    static let corpus: [(text: String, shown: String)] = [
        // Control characters and sequences of terminals
        ("\u{0}", "\\x00"), ("a\u{0}b", "a\\x00b"), ("\u{7}\u{8}", "\\x07\\x08"), ("\u{7f}", "\\x7f"),
        ("\u{1b}[31mred\u{1b}[0m", "\\x1b[31mred\\x1b[0m"), ("\u{1b}[2J\u{1b}[H", "\\x1b[2J\\x1b[H"),
        ("\u{1b}[1A\u{1b}[2Kgone", "\\x1b[1A\\x1b[2Kgone"), ("\u{1b}]0;title\u{7}", "\\x1b]0;title\\x07"),
        (
            "\u{1b}]8;;https://evil.example\u{1b}\\bank\u{1b}]8;;\u{1b}\\",
            "\\x1b]8;;https://evil.example\\x1b\\bank\\x1b]8;;\\x1b\\"
        ),
        ("\u{1b}]52;c;cm0gLXJmIH4=\u{7}", "\\x1b]52;c;cm0gLXJmIH4=\\x07"),
        ("\u{1b}P+q544e\u{1b}\\", "\\x1bP+q544e\\x1b\\"),
        ("\u{1b}[?1049h", "\\x1b[?1049h"), ("\u{1b}c", "\\x1bc"), ("\u{9b}31m", "\\x9b31m"),
        ("\u{9d}0;t\u{9c}", "\\x9d0;t\\x9c"),
        ("\u{85}", "\\x85"), ("\u{80}", "\\x80"), ("\u{b}\u{c}", "\\x0b\\x0c"), ("\u{e}\u{f}", "\\x0e\\x0f"),
        // Forged lines
        ("hi\n@bob 11:14 send me money", "hi\\n@bob 11:14 send me money"), ("hi\r@bob: yes", "hi\\r@bob: yes"),
        ("a\r\nb", "a\\r\\nb"), ("a\tb", "a\\tb"), ("a\u{2028}b", "a\\u{2028}b"), ("a\u{2029}b", "a\\u{2029}b"),
        // Direction
        ("\u{202e}gpj.exe", "\\u{202e}gpj.exe"), ("a\u{202a}b\u{202c}", "a\\u{202a}b\\u{202c}"),
        ("\u{202b}x\u{202d}", "\\u{202b}x\\u{202d}"), ("\u{2066}a\u{2069}", "\\u{2066}a\\u{2069}"),
        ("\u{2067}a\u{2068}", "\\u{2067}a\\u{2068}"), ("a\u{200e}\u{200f}", "a\\u{200e}\\u{200f}"),
        ("\u{61c}", "\\u{61c}"),
        // Invisible characters
        ("pay\u{200b}pal", "pay\\u{200b}pal"), ("pay\u{200c}pal", "pay\\u{200c}pal"),
        ("pay\u{200d}pal", "pay\\u{200d}pal"),
        ("a\u{2060}b\u{feff}", "a\\u{2060}b\\u{feff}"), ("a\u{ad}b", "a\\xadb"), ("a\u{34f}b", "a\\u{34f}b"),
        ("\u{115f}\u{1160}", "\\u{115f}\\u{1160}"), ("\u{3164}", "\\u{3164}"), ("\u{ffa0}", "\\u{ffa0}"),
        ("a\u{2062}\u{2063}\u{2064}", "a\\u{2062}\\u{2063}\\u{2064}"), ("\u{17b4}", "\\u{17b4}"),
        ("a\u{180e}b", "a\\u{180e}b"),
        ("a\u{206a}b", "a\\u{206a}b"), ("\u{fff9}a\u{fffa}b\u{fffb}", "\\u{fff9}a\\u{fffa}b\\u{fffb}"),
        ("\u{1d173}", "\\u{1d173}"), ("\u{13430}", "\\u{13430}"), ("\u{200d}", "\\u{200d}"),
        ("a\u{fe0f}", "a\\u{fe0f}"),
        ("a\u{fe00}", "a\\u{fe00}"), ("😀\u{e0100}\u{e0101}", "😀\\u{e0100}\\u{e0101}"),
        ("😀\u{fe0f}\u{fe0f}", "😀\u{fe0f}\\u{fe0f}"),
        // Tags, unassigned, private
        ("hi\u{e0001}\u{e0068}\u{e0069}", "hi\\u{e0001}\\u{e0068}\\u{e0069}"),
        ("🏴\u{e0068}\u{e0069}\u{e007f}", "🏴\\u{e0068}\\u{e0069}\\u{e007f}"),
        ("\u{378}", "\\u{378}"), ("\u{e000}", "\\u{e000}"), ("\u{f8ff}", "\\u{f8ff}"), ("\u{10fffd}", "\\u{10fffd}"),
        ("\u{ffff}", "\\u{ffff}"), ("\u{e0fff}", "\\u{e0fff}"),
        // Marks without a character of their own
        ("\u{301}", "\\u{301}"), ("\u{20dd}a", "\\u{20dd}a"), ("\u{1b}\u{301}", "\\x1b\\u{301}"),
        ("\u{903}", "\\u{903}"), ("\u{1161}", "\\u{1161}"),
        // Joined to nothing
        ("😀\u{200d}", "😀\\u{200d}"), ("\u{200d}😀", "\\u{200d}😀"), ("😀\u{200d}a", "😀\\u{200d}a"),
        ("1\u{200d}2", "1\\u{200d}2"),
        ("م\u{200c}", "م\\u{200c}"), ("م\u{200c}\u{200c}ن", "م\\u{200c}\\u{200c}ن"), ("👍🏽🏽", "👍🏽\\u{1f3fd}"),
        ("\u{600}\u{600}١", "\u{600}\\u{600}١"),
    ]

    @Test(arguments: corpus.indices)
    func spellsOut(index: Int) {
        let (text, shown) = Self.corpus[index]
        #expect(Array(UntrustedText(text).singleLine.unicodeScalars) == Array(shown.unicodeScalars))
        Self.checkHarmless(text)
    }

    /// Text that people write, which must stay as it is.
    static let honest = [
        "", "hello", "C:\\new\\table", "tab as \\t", "naïve café", "e\u{301}", "Straße", "½ © ® ™ € → ∞",
        "‘quotes’ “and” – dashes…",
        "漢字かな交じり文", "葛\u{e0100}城市", "한국어", "\u{1112}\u{1161}\u{11ab}", "สวัสดีครับ น้ำ", "नमस्ते क्षत्रिय", "র\u{200d}্য",
        "ശ്രീ ന്\u{200d}", "ක්\u{200d}ෂ", "שָׁלוֹם עולם", "مَرْحَبًا بالعالم", "می\u{200c}خواهم", "\u{600}١٢٣", "ᠮᠣᠩᠭᠣᠯ\u{180b}",
        "བོད་སྐད་", "Việt Nam",
        "😀", "👍🏽", "👨‍👩‍👧‍👦", "👩🏽‍❤️‍💋‍👨🏿", "🏳️‍🌈", "🏴‍☠️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿🏴󠁧󠁢󠁳󠁣󠁴󠁿🏴󠁧󠁢󠁷󠁬󠁳󠁿", "🇩🇪🇺🇦", "1️⃣ #️⃣ *️⃣", "❤️ ❤︎ ☝🏽", "🤷‍♀️", "🧑🏿‍🤝‍🧑🏻",
        "🫩", "\u{fffd}", "a\u{a0}b\u{3000}c", "|│¦", "'quoted'", "~!@#$%^&*()_+{}|:\"<>?",
    ]

    @Test(arguments: honest)
    func leavesHonestTextAlone(text: String) {
        #expect(Array(UntrustedText(text).singleLine.unicodeScalars) == Array(text.unicodeScalars))
    }

    // MARK: - Length

    @Test func marksDoNotPileUp() {
        let tower = "e" + String(repeating: "\u{301}", count: 5000)
        let shown = UntrustedText(tower).singleLine
        #expect(
            shown.unicodeScalars.prefix(11).elementsEqual(
                ("e" + String(repeating: "\u{301}", count: 10)).unicodeScalars))
        #expect(shown.unicodeScalars.filter { $0 == "\u{301}" }.count == 10)
        Self.checkHarmless(tower)
        Self.checkHarmless("\u{1100}" + String(repeating: "\u{1161}", count: 5000))
        Self.checkHarmless("क" + String(repeating: "\u{903}", count: 5000))
    }

    @Test func joinersDoNotMakeRoomForMoreMarks() {
        let shown = UntrustedText("क" + String(repeating: "\u{94d}\u{200c}", count: 5000)).singleLine
        #expect(shown.unicodeScalars.filter { $0.value > 0x7f }.count == 11)
        #expect(
            UntrustedText("a\u{200d}\u{94d}").singleLine.unicodeScalars.elementsEqual(
                "a\\u{200d}\\u{94d}".unicodeScalars))
    }

    @Test func chainsOfEmojiEnd() {
        let chain = Array(repeating: "👩", count: 3000).joined(separator: "\u{200d}")
        let shown = UntrustedText(chain).singleLine
        #expect(
            shown.unicodeScalars.starts(with: "👩\u{200d}👩\u{200d}👩\u{200d}👩\u{200d}👩\u{200d}👩\\u{200d}👩".unicodeScalars)
        )
        Self.checkHarmless(chain)
        Self.checkHarmless("👍" + String(repeating: "🏽", count: 3000))
        Self.checkHarmless(String(repeating: "🇩", count: 3001))
        Self.checkHarmless(String(repeating: "\u{600}", count: 3000))
        Self.checkHarmless(String(repeating: "\u{d4e}", count: 3000))
    }

    // MARK: - Bytes

    static let bytes: [(bytes: Bytes, shown: String)] = [
        ([0xed, 0xa0, 0x80], "\u{fffd}\u{fffd}\u{fffd}"), ([0xed, 0xb2, 0x80, 0x41], "\u{fffd}\u{fffd}\u{fffd}A"),
        ([0xff, 0xfe], "\u{fffd}\u{fffd}"), ([0xc0, 0x80], "\u{fffd}\u{fffd}"), ([0x61, 0xc3], "a\u{fffd}"),
        ([0x9b, 0x33, 0x31, 0x6d], "\u{fffd}31m"), ([0xc2, 0x9b, 0x33], "\\x9b3"),
        ([0xf4, 0x90, 0x80, 0x80], String(repeating: "\u{fffd}", count: 4)),
        ([], ""), ([0], "\\x00"),
    ]

    @Test(arguments: bytes.indices)
    func readsAnyBytes(index: Int) {
        let (bytes, shown) = Self.bytes[index]
        #expect(UntrustedText(bytes: bytes).singleLine == shown)
    }

    // MARK: - Everything

    @Test func no_single_scalar_is_harmful() {
        for value in UInt32(0)...0x10ffff {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let shown = UntrustedText(String(scalar)).singleLine
            if let harm = Self.harm(in: shown) { Issue.record("\(String(value, radix: 16)) shows \(harm)") }
        }
    }

    @Test func noMixtureIsHarmful() {
        let pieces =
            Self.corpus.map(\.text) + Self.honest + ["\n", "\r", "\t", "\u{200d}", "\u{301}", "🏴", "\u{e007f}", "'"]
        var random = SeededRandom(seed: 7)
        for _ in 0..<3000 {
            let count = Int.random(in: 1...8, using: &random)
            Self.checkHarmless((0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined())
        }
    }

    /// What a text must not show, if it does.
    private static func harm(in shown: String) -> String? {
        for scalar in shown.unicodeScalars {
            let properties = scalar.properties
            let isBidirectional = properties.isBidiControl
            switch properties.generalCategory {
            case .control, .unassigned, .privateUse, .lineSeparator, .paragraphSeparator:
                return "a \(properties.generalCategory)"
            default: if isBidirectional { return "a direction" }
            }
        }
        return nil
    }

    /// Checks what holds for every text.
    private static func checkHarmless(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let untrusted = UntrustedText(text)
        let shown = untrusted.singleLine
        #expect(harm(in: shown) == nil, sourceLocation: sourceLocation)
        #expect(
            UntrustedText(shown).singleLine == shown, "escaping twice changes nothing", sourceLocation: sourceLocation)
        #expect(StyledText(text).text == shown, sourceLocation: sourceLocation)
        #expect(untrusted.quoted.displayWidth <= 50, sourceLocation: sourceLocation)
        for width in [nil, 12, 40] {
            for row in untrusted.body(width: width) {
                #expect(row.text.hasPrefix("│"), sourceLocation: sourceLocation)
                #expect(harm(in: row.text) == nil, sourceLocation: sourceLocation)
                if let width { #expect(row.width <= width, "\(row.text)", sourceLocation: sourceLocation) }
            }
        }
    }
}
