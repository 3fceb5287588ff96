import CommandKit
import TestSupport
import Testing

/// The text of configuration files.
@Suite struct SettingsTextTests {
    private static let sample = """
        # Who I am.
        [global]
        \tutc = yes   # times
        output=json

        [send]   # a comment
        wait = delivered
        attach = "a # b \\"c\\" \\\\ \\t"
        attach = it's#here
        [contact list] last = 5
        [alias] hi = send @alice "good morning"
        empty =

        """

    private static func read(_ text: String) -> SettingsText { SettingsText(Array(text.utf8)) }
    private static func text(_ settings: SettingsText?) -> String? {
        settings.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test func entries_are_read() {
        let text = Self.read(Self.sample)
        #expect(text.mistakes.isEmpty)
        #expect(
            text.entries.map { "\($0.line) \($0.key)=\($0.value)" } == [
                "3 global.utc=yes", "4 global.output=json", "7 send.wait=delivered", "8 send.attach=a # b \"c\" \\ \t",
                "9 send.attach=it's#here", "10 contact.list.last=5", "11 alias.hi=send @alice \"good morning\"",
                "12 alias.empty=",
            ])
        #expect(Self.text(text) == Self.sample)
    }

    @Test(arguments: [
        ("wait = sent", SettingsText.Mistake.Kind.noSection), ("[a]\nwait", .noEqualsSign),
        ("[a]\nwa it = sent", .name),
        ("[a]\n= sent", .name), ("[a", .section), ("[]", .section), ("[a/b]", .section), ("[a]\nb = \"c", .quotes),
        ("[a]\nb = \"c\" d", .quotes), ("[a]\nb = \"\\x\"", .escape), ("[a]\nb = c\u{0}", .controlCharacter),
        ("[a]\nb = \u{1b}[31m", .controlCharacter), ("[a]\nb = c\rd = e", .controlCharacter),
        ("[a]\nb = \"c\\", .escape), ("[a] ; b = c", .name), ("[a]\nä = c", .name),
    ])
    func namesEachMistake(_ text: String, _ kind: SettingsText.Mistake.Kind) {
        let read = Self.read(text)
        #expect(read.mistakes == [.init(line: text.contains("\n") ? 2 : 1, kind: kind)])
        #expect(read.entries.isEmpty)
    }

    @Test func lines_after_a_mistake_are_read() {
        let text = Self.read("[a]\nnonsense\nb = c\n[d\ne = f\n[g]\nh = i")
        #expect(text.entries.map(\.key) == ["a.b", "g.h"])
        // What stands in a section without a name is one mistake.
        #expect(text.mistakes.map(\.line) == [2, 4])
    }

    @Test func invalid_utf8_is_a_mistake_and_kept() {
        let bytes = Array("[a]\nb = ".utf8) + [0xff, 0xc3, 0x0a] + Array("c = d\n".utf8)
        let text = SettingsText(bytes)
        #expect(text.mistakes == [.init(line: 2, kind: .encoding)] && text.entries.map(\.key) == ["a.c"])
        #expect(text.bytes == bytes)
        #expect(text.setting("a.c", to: ["e"])?.bytes == bytes.dropLast(2) + Array("e\n".utf8))
    }

    @Test func carriageReturnsAndAByteOrderMarkStay() {
        let bytes = [0xef, 0xbb, 0xbf] + Array("[a]\r\nb = c\r\n".utf8)
        let text = SettingsText(bytes)
        #expect(text.mistakes.isEmpty && text.entries.map(\.value) == ["c"])
        #expect(text.setting("a.d", to: ["e"])?.bytes == bytes + Array("d = e\r\n".utf8))
    }

    @Test func longLinesAreLines() {
        let long = String(repeating: "x", count: 60000)
        #expect(Self.read("[a]\nb = \(long)").entries.first?.value == long)
        #expect(Self.read(String(repeating: "[", count: 60000)).mistakes.map(\.kind) == [.section])
        #expect(Self.read(String(repeating: "\n", count: 60000)).entries.isEmpty)
    }

    @Test func everyTruncationIsRead() {
        let bytes = Array(Self.sample.utf8)
        for count in bytes.indices {
            let text = SettingsText(Array(bytes.prefix(count)))
            #expect(text.mistakes.count <= 1)
            #expect(text.entries.count <= 8)
        }
    }

    @Test func everyChangedByteIsReadAndWritten() {
        for (index, byte) in Self.sample.utf8.enumerated() {
            for other: UInt8 in [0, 9, 10, 13, 34, 35, 61, 91, 92, 93, 0x80, 0xff, byte ^ 1] {
                var bytes = Array(Self.sample.utf8)
                bytes[index] = other
                let text = SettingsText(bytes)
                let changed = text.setting("send.wait", to: ["queued"])
                #expect(changed?.entries.last { $0.key == "send.wait" }?.value == "queued")
                #expect(text.removing("send.wait").entries.allSatisfy { $0.key != "send.wait" })
            }
        }
    }

    // MARK: - Changes

    @Test func aChangeTouchesNothingElse() {
        let text = Self.read(Self.sample)
        for (key, old, new) in [
            ("global.utc", "yes   # times", "no   # times"), ("global.output", "output=json", "output=text"),
            ("contact.list.last", "last = 5", "last = 12"), ("alias.empty", "empty =", "empty = x y"),
        ] {
            let value = new.split(separator: "   #")[0].split(separator: "=").last.map { $0.drop { $0 == " " } } ?? ""
            let expected = Self.sample.split(separator: old).joined(separator: new)
            #expect(Self.text(text.setting(key, to: [String(value)])) == expected)
        }
    }

    @Test func aNewSettingGoesToItsSection() {
        let text = Self.read("# top\n[a]\n  b = c\n\n# about d\n[d]\ne = f\n")
        #expect(
            Self.text(text.setting("a.g", to: ["h"])) == "# top\n[a]\n  b = c\n  g = h\n\n# about d\n[d]\ne = f\n")
        #expect(Self.text(text.setting("d.g", to: ["h"])) == "# top\n[a]\n  b = c\n\n# about d\n[d]\ne = f\ng = h\n")
        #expect(Self.text(Self.read("").setting("a.b", to: ["c"])) == "[a]\nb = c\n")
        #expect(Self.text(Self.read("[a]\nb = c").setting("x.y.z", to: ["1"])) == "[a]\nb = c\n\n[x.y]\nz = 1\n")
        #expect(Self.text(Self.read("[a] b = c\n").setting("a.d", to: ["e"])) == "[a] b = c\nd = e\n")
    }

    @Test func severalValuesHaveSeveralLines() {
        let text = Self.read("[a]\nb = 1\nc = 2\nb = 3 # last\n")
        #expect(Self.text(text.setting("a.b", to: ["x", "y"])) == "[a]\nc = 2\nb = x\nb = y # last\n")
        #expect(Self.text(Self.read("[a] b = 1\n").setting("a.b", to: ["x", "y"])) == "[a] b = x\nb = y\n")
        #expect(Self.text(text.removing("a.b")) == "[a]\nc = 2\n")
        #expect(Self.text(Self.read("[a] b = 1 # why\n").removing("a.b")) == "[a]  # why\n")
    }

    @Test(arguments: [
        "", " ", "a b", " a", "a ", "\"", "\"a\"", "a\"b", "#", "a #b", "a#b", "a\nb", "\t", "\\", "\\n", "'a' \"b\"",
        "ä",
        "=", "[a]",
    ])
    func whatIsWrittenIsReadBack(_ value: String) {
        for text in ["", "[a]\nb = 1", "[a]\nb =", "[a]\nb =# c", "[a] b = \"1\"#c"] {
            let changed = Self.read(text).setting("a.b", to: [value])
            #expect(changed?.entries.map(\.value) == [value], "\(Self.text(changed) ?? "")")
            #expect(changed?.mistakes == [])
        }
    }

    @Test func controlCharactersAreNotWritten() {
        #expect(Self.read("").setting("a.b", to: ["c\u{1b}"]) == nil)
        #expect(Self.read("").setting("a.b", to: ["c\r"]) == nil)
    }
}
