import TerminalKit
import Testing

@Suite struct WidthTests {
    static let corpus: [(text: String, width: Int)] = [
        ("", 0), ("a", 1), ("hello, world", 12), ("~", 1), ("\u{a0}", 1), ("ÄÖÜß", 4), ("\u{ad}", 0), ("…", 1),
        // CJK
        ("漢字", 4), ("ひらがな", 8), ("カタカナ", 8), ("ｶﾀｶﾅ", 4), ("ｶﾞ", 2), ("ＡＢＣ", 6), ("，。", 4), ("〈〉", 4), ("㍿", 2),
        ("𠀋", 2), ("𰻞", 2), ("葛\u{e0100}城", 4), ("ㄅㄆ", 4), ("ꀀ", 2), ("か\u{3099}", 2), ("\u{3000}", 2), ("\u{303f}", 1),
        // Korean, composed, decomposed, and single letters
        ("한국어", 6), ("\u{1112}\u{1161}\u{11ab}", 2), ("\u{1100}\u{1161}", 2), ("ㅋㅋㅋ", 6), ("한\u{11ab}", 2),
        // Combining marks
        ("e\u{301}", 1), ("e\u{301}\u{302}\u{303}", 1), ("n\u{303}a", 2), ("\u{301}", 0), ("a\u{20dd}", 1),
        ("Å\u{30a}", 1), ("o\u{336}k\u{336}", 2),
        // Thai, Lao, Devanagari, Tamil
        ("สวัสดี", 4), ("น้ำ", 2), ("ກິນ", 2), ("नमस्ते", 4), ("க்ஷ", 2), ("কি", 2),
        // Right to left
        ("שלום", 4), ("שָׁלוֹם", 4), ("مرحبا", 5), ("مَرْحَبًا", 5), ("می\u{200c}خواهم", 7), ("\u{600}١", 2),
        // Emoji
        ("😀", 2), ("👍🏽", 2), ("👨‍👩‍👧‍👦", 2), ("👩🏽‍❤️‍💋‍👨🏿", 2), ("🏳️‍🌈", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("🇩🇪", 2), ("🇩🇪🇫🇷", 4), ("🇩", 2),
        ("❤", 1), ("❤️", 2), ("☝🏽", 1), ("☝️", 2), ("1️⃣", 2), ("#️⃣", 2), ("©", 1), ("©️", 2), ("⌚", 2), ("♀", 1), ("👩‍💻", 2),
        ("🤷‍♀️", 2), ("🧑🏿‍🤝‍🧑🏻", 2), ("🏻", 2), ("a🏻", 3), ("👍🏽🏽", 4), ("🫩", 2), ("🀄", 2), ("🃏", 2), ("☰", 2), ("䷀", 2),
        // Joined, but not an emoji: the joiner is nothing, the letters are letters
        ("a\u{200d}b", 2), ("क\u{94d}\u{200d}ष", 2),
        ("😀a漢e\u{301}", 6),
    ]

    @Test(arguments: corpus.indices)
    func countsColumns(index: Int) {
        let (text, width) = Self.corpus[index]
        #expect(text.displayWidth == width, "\(text.unicodeScalars.map { String($0.value, radix: 16) })")
    }

    @Test func everyRangeOfWideCharactersHasItsEdges() {
        // The edges and their neighbours in EastAsianWidth.txt of Unicode 17.
        let wide: [UInt32] = [
            0x1100, 0x2329, 0x232a, 0x2630, 0x2637, 0x268a, 0x268f, 0x2e80, 0x303e, 0x3041, 0x3247, 0x3250, 0xa4c6,
            0xa960, 0xa97c, 0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe10, 0xfe19, 0xfe30, 0xfe6b, 0xff01, 0xff60, 0xffe0,
            0xffe6, 0x16fe0, 0x18df2, 0x1aff0, 0x1b2fb, 0x1d300, 0x1d376, 0x1f200, 0x1f265, 0x20000, 0x2fffd,
            0x30000, 0x3fffd,
        ]
        let narrow: [UInt32] = [
            0x10ff, 0x2328, 0x232b, 0x262f, 0x2638, 0x2689, 0x2690, 0x303f, 0x3248, 0x324f, 0xa4d0, 0xa95f, 0xabff,
            0xff61, 0xffdc, 0xffe8, 0x1d2ff, 0x1d377, 0x1f19f, 0x1f266,
        ]
        for value in wide {
            #expect(Unicode.Scalar(value).map { String($0).displayWidth } == 2, "\(String(value, radix: 16))")
        }
        for value in narrow {
            #expect(Unicode.Scalar(value).map { String($0).displayWidth } == 1, "\(String(value, radix: 16))")
        }
    }

    // MARK: - Cutting

    static let cuts: [(text: String, width: Int, cut: String)] = [
        ("hello", 5, "hello"), ("hello", 4, "hel…"), ("hello", 1, "…"), ("hello", 0, ""), ("", 0, ""),
        ("hello", -3, ""),
        ("漢字漢字", 8, "漢字漢字"), ("漢字漢字", 7, "漢字漢…"), ("漢字漢字", 6, "漢字…"), ("漢字", 2, "…"),
        ("👨‍👩‍👧‍👦x!", 3, "👨‍👩‍👧‍👦…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("🇩🇪🇫🇷", 3, "🇩🇪…"),
    ]

    @Test(arguments: cuts.indices)
    func cutsBetweenCharacters(index: Int) {
        let (text, width, cut) = Self.cuts[index]
        #expect(text.truncated(toWidth: width) == cut)
        #expect(cut.displayWidth <= max(width, 0))
    }

    static let wraps: [(text: String, width: Int, rows: [String])] = [
        ("", 10, [""]), ("one two three", 20, ["one two three"]), ("one two three", 13, ["one two three"]),
        ("one two three", 12, ["one two", "three"]), ("one two three", 7, ["one two", "three"]),
        ("one two three", 6, ["one", "two", "three"]), ("one two three", 4, ["one", "two", "thre", "e"]),
        ("abcdefgh", 3, ["abc", "def", "gh"]), ("a bcdefghi", 4, ["a", "bcde", "fghi"]), ("  in", 6, ["  in"]),
        ("one   two", 4, ["one", " two"]), ("漢字漢字", 5, ["漢字", "漢字"]),
        ("ab漢字cd", 5, ["ab漢", "字cd"]),
        ("漢a", 2, ["漢", "a"]), ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 3, ["👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"]), ("a ", 1, ["a"]), ("word ", 4, ["word"]),
        ("e\u{301}e\u{301}e\u{301}", 2, ["e\u{301}e\u{301}", "e\u{301}"]),
    ]

    @Test(arguments: wraps.indices)
    func wrapsIntoRows(index: Int) {
        let (text, width, rows) = Self.wraps[index]
        #expect(text.wrapped(toWidth: width) == rows)
    }

    @Test func noClusterPassesTheEdge() {
        // One grapheme cluster of a hundred visible characters, by emoji modifiers.
        let cluster = "👍" + String(repeating: "🏽", count: 100)
        #expect(cluster.count == 1)
        for row in cluster.wrapped(toWidth: 11) { #expect(row.displayWidth <= 11) }
    }

    @Test func wrappingLosesNothingButSpaces() {
        let text = "The quick brown 漢字 👍🏽 jumps over\u{a0}the lazy donaudampfschifffahrtskapitän and e\u{301}."
        for width in 2...40 {
            let rows = text.wrapped(toWidth: width)
            #expect(rows.joined().filter { $0 != " " } == text.filter { $0 != " " })
            for row in rows { #expect(row.displayWidth <= width) }
        }
    }
}
