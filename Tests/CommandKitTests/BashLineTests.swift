import CommandKit
import Testing

/// Lines with quotes, and the part of the last word that bash replaces.
@Suite struct BashLineTests {
    /// As bash has it, with the sign of host names.
    private static let breaks = " \t\n\"'@><=;|&(:"

    @Test(arguments: [
        ("tacit ", [""]), ("tacit se", ["se"]), ("tacit send @a", ["send", "@a"]), ("tacit  send   ", ["send", ""]),
        ("A=1 B= tacit se", ["se"]), ("tacit send '@Ann L", ["send", "@Ann L"]),
        (#"tacit send "@Ann L"#, ["send", "@Ann L"]), (#"tacit send @Ann\ L"#, ["send", "@Ann L"]),
        (#"tacit send "a\"b\c" "#, ["send", #"a"b\c"#, ""]), ("tacit send '' ", ["send", "", ""]),
        ("uptime | tacit send ", ["send", ""]), ("x; tacit se", ["se"]), ("tacit read > file @b", ["read", "@b"]),
        ("tacit send --to='@A", ["send", "--to=@A"]), ("tacit", []),
    ])
    func isCutIntoWords(text: String, words: [String]) {
        #expect(BashLine(text, breaks: BashLineTests.breaks).words == words)
    }

    @Test(arguments: [
        ("tacit send ", "@alice", "@alice"), ("tacit send @a", "@alice", "@alice"), ("tacit se", "send", "send"),
        ("tacit send --wait=", "--wait=sent", "sent"), ("tacit send --wait", "--wait", "--wait"),
        ("tacit send @A", "@Ann Lee", #"@Ann\ Lee"#), ("tacit send ", "@Ann Lee", #"@Ann\ Lee"#),
        ("tacit send '@A", "@Ann Lee", "@Ann Lee"), (#"tacit send "@A"#, "@Ann Lee", "@Ann Lee"),
        (#"tacit send @Ann\ L"#, "@Ann Lee", #"@Ann\ Lee"#),
        ("tacit send --to=@A", "--to=@Ann Lee", #"@Ann\ Lee"#), ("tacit send --to='@A", "--to=@Ann Lee", "@Ann Lee"),
        ("tacit send id:", "id:c3", "c3"), ("tacit send '", "@it's", #"@it'\''s"#),
        (#"tacit send ""#, #"@$x`y\z"#, #"@\$x\`y\\z"#), ("tacit send ", "@$(x);y!", #"@\$\(x\)\;y\!"#),
        ("tacit send ", "@é|ü", #"@é\|ü"#),
        // Bash sees the sign, whatever mark stands behind it.
        (#"tacit send ""#, "@a`\u{301};x`\u{301}", "@a\\`\u{301};x\\`\u{301}"),
        ("tacit send '", "@it'\u{301}s", "@it'\\''\u{301}s"), ("tacit send ", "@a>\u{301}f", "@a\\>\u{301}f"),
        (#"tacit send "e"#, "e\u{301}", "e\u{301}"),
    ])
    func isReplaced(text: String, word: String, replacement: String) {
        #expect(BashLine(text, breaks: BashLineTests.breaks).replacement(for: word) == replacement)
    }

    @Test func unwritable_words_are_not_offered() {
        // Bash would look for it in its history.
        #expect(BashLine(#"tacit send ""#, breaks: BashLineTests.breaks).replacement(for: "@a!") == nil)
        #expect(BashLine(#"tacit send ""#, breaks: BashLineTests.breaks).replacement(for: "@a!\u{301}") == nil)
        // The same letter for people is another one for bash.
        #expect(BashLine("tacit send \u{e9}\"", breaks: BashLineTests.breaks).replacement(for: "e\u{301}a") == nil)
        #expect(BashLine("tacit send '@'a=", breaks: BashLineTests.breaks).replacement(for: "@a=b") == nil)
    }

    @Test func aRedirectionWantsAFile() {
        #expect(BashLine("tacit read > ", breaks: BashLineTests.breaks).isRedirection)
        #expect(BashLine("tacit read >fi", breaks: BashLineTests.breaks).isRedirection)
        #expect(!BashLine("tacit read > file ", breaks: BashLineTests.breaks).isRedirection)
    }

    @Test func otherBreaksAreRespected() {
        #expect(BashLine("tacit send @a", breaks: " \t\n").replacement(for: "@alice") == "@alice")
    }
}
