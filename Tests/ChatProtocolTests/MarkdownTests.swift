import ByteCoding
import ChatProtocol
import JSONCoding
import Testing

@Suite struct MarkdownTests {
    private static func parts(_ text: String) -> [FormattedText]? { FormattedText.parts(of: text) { _ in nil } }

    private static func plain(_ text: String) -> FormattedText { FormattedText(nil, text) }

    // MARK: - Marks

    @Test(arguments: [
        ("*", TextFormat.bold), ("_", .italic), ("~", .strikeThrough), ("`", .snippet), ("#", .secret),
    ])
    func marked_text_has_a_format(mark: String, format: TextFormat) {
        let marked = FormattedText(format, "two words")
        let text = "\(mark)two words\(mark)"
        #expect(Self.parts(text) == [marked])
        #expect(Self.parts("this is \(text)") == [Self.plain("this is "), marked])
        #expect(Self.parts("   \(text) it  ") == [Self.plain("   "), marked, Self.plain(" it  ")])
        #expect(Self.parts("\(text)\(text)") == [FormattedText(format, "two wordstwo words")] || mark == "#")
    }

    @Test(arguments: ["*", "_", "~", "`", "#"])
    func other_marks_are_text(mark: String) {
        for text in [
            "a \(mark) b \(mark) c", "a \(mark)b \(mark) c", "a \(mark) b\(mark) c",
            "a \(mark)\(mark)b\(mark)\(mark) c",
            "a\(mark)b\(mark) c", "a \(mark)b c", mark, mark + mark, " \(mark)", "",
        ] where !(mark == "#" && (text.contains("##b") || text.contains(" #b"))) {
            #expect(Self.parts(text) == nil, "\(text)")
        }
        let bold = FormattedText(.bold, "this")
        #expect(Self.parts("*this* is a \(mark) word") == [bold, Self.plain(" is a \(mark) word")])
    }

    @Test(arguments: [
        ("#privacy", "simplex privacy"), ("#privacy.simplex", "simplex privacy"), ("#123", "simplex 123"),
        ("#my-channel.simplex", "simplex my-channel"), ("#support.acme.simplex", "simplex acme support"),
        ("#a.b.acme.simplex", "simplex acme b a"), ("#test.testing", "testing test"),
        ("#news.bbc.co.uk", "web news.bbc.co.uk"),
        ("@privacy.simplex", "simplex privacy"), ("@alice.example.com", "web alice.example.com"),
    ])
    func names(text: String, name: String) throws {
        let found = try #require(Self.parts("see \(text)!"))
        #expect(found.map(\.text) == ["see ", text, "!"])
        guard case .simplexName(let read)? = found[1].format else {
            Issue.record("not a name")
            return
        }
        #expect(read.kind == (text.hasPrefix("#") ? .publicGroup : .contact))
        #expect(([read.registry.rawValue, read.domain] + read.subdomains).joined(separator: " ") == name)
    }

    @Test(arguments: ["#-a", "#a--b", "#a_b", "#ä", "#a..b", "#.a", "# a", "#"])
    func other_words_are_no_names(text: String) {
        #expect(Self.parts("see \(text) there") == nil)
    }

    @Test func marks_inside_of_marks_are_text() {
        #expect(Self.parts("*long _b_ (no)*") == [FormattedText(.bold, "long _b_ (no)")])
        #expect(Self.parts("is: `a *b*`") == [Self.plain("is: "), FormattedText(.snippet, "a *b*")])
        #expect(Self.parts("is: `a #b#`") == [Self.plain("is: "), FormattedText(.snippet, "a #b#")])
    }

    @Test func several_number_signs_belong_to_the_secret() {
        #expect(
            Self.parts("##black secret### text") == [FormattedText(.secret, "#black secret##"), Self.plain(" text")])
        #expect(Self.parts("this is ## unformatted ## text") == nil)
    }

    @Test func colors_have_numbers_letters_and_names() {
        let red = FormattedText(.colored(.red), "red color")
        for name in ["1", "r", "red"] {
            #expect(Self.parts("is !\(name) red color! it") == [Self.plain("is "), red, Self.plain(" it")])
        }
        for (name, color) in [("2", TextColor.green), ("b", .blue), ("yellow", .yellow), ("5", .cyan), ("m", .magenta)]
        {
            #expect(Self.parts("!\(name) x!") == [FormattedText(.colored(color), "x")])
        }
        for text in ["!1 a !", "!1  a!", "a!1 b!", "!1 a", "!1!", "!7 a!", "!re a!", "!1a!", "!", "!1", "!1 "] {
            #expect(Self.parts(text) == nil, "\(text)")
        }
        #expect(Self.parts("!1 a *b*!") == [FormattedText(.colored(.red), "a *b*")])
    }

    // MARK: - Addresses

    @Test(arguments: [
        "https://simplex.chat", "http://simplex.chat", "https://github.com/simplex-chat/", "example.com",
        "https://en.m.wikipedia.org/wiki/Servo_(software)", "www.example.com", "example.academy", "x.com",
        "https://a.example/?q=%D1%8F#top", "https://user@example.org:8080/a", "https://a.example?q=ж",
    ])
    func web_addresses(address: String) {
        let uri = FormattedText(.uri, address)
        #expect(Self.parts(address) == [uri])
        #expect(Self.parts("see \(address), or") == [Self.plain("see "), uri, Self.plain(", or")])
        #expect(Self.parts("\(address)...") == [uri, Self.plain("...")])
    }

    @Test(arguments: [
        "_https://simplex.chat", "is _https://simplex.chat", "https://", "example.c", "www.www.example.com",
        "www.example1.com", "www.", ".com", "example.academytoolong", "simplex:/example", "https://localhost/",
        "https://exa mple", "https://a.b:x/", "https://a.b/ж", "ftp://example.org", "https://?a.b", "https://:1.2",
    ])
    func other_words(text: String) {
        #expect(Self.parts(text) == nil)
    }

    @Test func lines_are_read_one_by_one() {
        #expect(
            Self.parts("http://a.chat\ntext 1\n\ntext *2\nb.chat\n") == [
                FormattedText(.uri, "http://a.chat"), Self.plain("\ntext 1\n\ntext *2\n"),
                FormattedText(.uri, "b.chat"),
            ])
        #expect(Self.parts("not a\nmarkdown") == nil)
        #expect(Self.parts("\n") == nil)
        #expect(Self.parts("*a\nb*") == nil)
    }

    @Test func hyperlinks_show_a_text() {
        let text = "[click here](https://example.com)"
        let link = FormattedText(.hyperLink(showText: "click here", uri: "https://example.com"), text)
        #expect(Self.parts(text) == [link])
        #expect(Self.parts("For \(text).") == [Self.plain("For "), link, Self.plain(".")])
        for shown in ["example.com/page", "https://example.com/page"] {
            #expect(
                Self.parts("[\(shown)](https://example.com/page)")?.first?.format
                    == .hyperLink(showText: shown, uri: "https://example.com/page"))
        }
    }

    @Test(arguments: [
        "[https://example.com](https://another.com)", "[example.com/page](https://another.com/page)",
        "[click here](example.com)", "[click here](https://example.com )", "[](https://example.com)", "[a]()", "[a](",
        "[a", "[a]", "[", "[a] (https://example.com)",
    ])
    func misleading_hyperlinks_are_text(text: String) {
        #expect(Self.parts(text)?.contains { if case .hyperLink = $0.format { true } else { false } } != true)
    }

    @Test(arguments: ["chat@simplex.chat", "chat+123@simplex.chat", "c.h+1@simplex.chat", "a@b", "\"a@\"@b.example"])
    func email_addresses(address: String) {
        let email = FormattedText(.email, address)
        #expect(Self.parts(address) == [email])
        #expect(Self.parts("test \(address)... test") == [Self.plain("test "), email, Self.plain("... test")])
    }

    @Test(arguments: [
        "a@-b", "a@b..c", ".a@b", "a..b@c", "a@", "é@b", "a@\(String(repeating: "b", count: 64))", "a@b_c", "(a@b",
        "\(String(repeating: "a", count: 65))@b", "\"a@b",
    ])
    func no_email_addresses(text: String) {
        #expect(Self.parts(text) == nil)
    }

    @Test(arguments: [
        "07777777777", "07777 777 777", "+447777777777", "+44 (0) 7777 777 777", "+44-7777-777-777",
        "+44 (0) 7777.777.777", "1234567", "1234567890123456789012",
    ])
    func telephone_numbers(number: String) {
        let phone = FormattedText(.phone, number)
        #expect(Self.parts(number) == [phone])
        #expect(Self.parts("test \(number) test") == [Self.plain("test "), phone, Self.plain(" test")])
    }

    @Test(arguments: ["077777", "07777  777  777", "+", "+4412", "12345678901234567890123", "1 2 3", "(0) 1"])
    func no_telephone_numbers(text: String) {
        #expect(Self.parts("test \(text) test") == nil)
    }

    // MARK: - Names and commands

    @Test func mentions() {
        let alice = FormattedText(.mention("alice"), "@alice")
        #expect(Self.parts("@alice") == [alice])
        #expect(Self.parts("hello @alice !") == [Self.plain("hello "), alice, Self.plain(" !")])
        #expect(Self.parts("hello @alice...") == [Self.plain("hello "), alice, Self.plain("...")])
        #expect(Self.parts("@alice@a.b") == [FormattedText(.mention("alice@a.b"), "@alice@a.b")])
        #expect(
            Self.parts("hi @'a j.'!") == [
                Self.plain("hi "), FormattedText(.mention("a j."), "@'a j.'"), Self.plain("!"),
            ])
        for text in ["hello @'alice jones!", "hello @ alice!", "@", "@@a", "@#a", "@'", "@''", "@' a'"] {
            #expect(Self.parts(text) == nil, "\(text)")
        }
    }

    @Test func commands() {
        let help = FormattedText(.command("help"), "/help")
        #expect(Self.parts("send /help...") == [Self.plain("send "), help, Self.plain("...")])
        #expect(Self.parts("send /help / a /") == [Self.plain("send "), help, Self.plain(" / a /")])
        #expect(
            Self.parts("send /'filter 1.'!") == [
                Self.plain("send "), FormattedText(.command("filter 1."), "/'filter 1.'"), Self.plain("!"),
            ])
        for text in ["send /'filter 1", "send / help!", "send /he?lp", "/", " /", "a/b"] {
            #expect(Self.parts(text) == nil, "\(text)")
        }
    }

    /// A line that starts with a slash is one command with its arguments.
    @Test func a_line_is_a_command() {
        #expect(Self.parts("/link 1") == [FormattedText(.command("link 1"), "/link 1")])
        #expect(Self.parts(" /link *1*\n") == [FormattedText(.command("link *1*"), " /link *1*")])
        #expect(Self.parts("/a\n/b")?.count == 3)
    }

    // MARK: - Links of the network

    @Test func links_are_recognized() {
        let short = SimplexLink(.contact, uri: "simplex:/a#b?h=c", hosts: ["c"], isFull: false)
        let full = SimplexLink(.group, uri: "simplex:/contact#/?", hosts: ["c", "d"], isFull: true)
        func parts(_ text: String) -> [FormattedText]? {
            FormattedText.parts(of: text) { ["https://c.example/a#b": short, "simplex:/contact": full][$0] }
        }
        #expect(
            parts("https://c.example/a#b") == [
                FormattedText(.simplexLink(short, showText: nil), "https://c.example/a#b")
            ])
        let shown = "[Connect to me](https://c.example/a#b)"
        #expect(parts(shown) == [FormattedText(.simplexLink(short, showText: "Connect to me"), shown)])
        #expect(parts("[Connect.to.me](https://c.example/a#b)") == nil)
        #expect(parts("simplex:/contact") == [FormattedText(.simplexLink(full, showText: nil), "simplex:/contact")])
        #expect(parts("[a](simplex:/contact)") == nil)
        #expect(
            parts("simplex:/contact")?.first?.json.line
                == #"{"format":{"type":"simplexLink","linkType":"group","simplexUri":"simplex:/contact#/?","#
                + #""smpHosts":["c","d"]},"text":"simplex:/contact"}"#)
    }

    // MARK: - JSON

    @Test(arguments: [
        ("*a*", #"{"format":{"type":"bold"},"text":"a"}"#),
        ("!1 a!", #"{"format":{"type":"colored","color":"red"},"text":"a"}"#),
        ("@a", #"{"format":{"type":"mention","memberName":"a"},"text":"@a"}"#),
        ("/a", #"{"format":{"type":"command","commandStr":"a"},"text":"/a"}"#),
        (
            "[a](https://b.c)",
            #"{"format":{"type":"hyperLink","showText":"a","linkUri":"https://b.c"},"text":"[a](https://b.c)"}"#
        ),
    ])
    func json(text: String, expected: String) {
        #expect(Self.parts(text)?.map(\.json.line) == [expected])
    }

    // MARK: - Hostile texts

    /// A text that makes a reader start again from each of its marks would take minutes.
    @Test(arguments: [
        "*", "_a ", "[", "[a ", "[a](", "[a](https://b.c/? ", "!1 a ", "!1", "@'a ", "/'? ", "#", "1 ", "(1", "+1 ",
        "https://a.b ", "(", "\"", "a.", "/", "@", "'", "\t", "a@b(", "\u{301}", "[a](simplex:/a# ",
    ])
    func hostile_texts_take_linear_time(piece: String) {
        let text = String(repeating: piece, count: 40_000 / piece.unicodeScalars.count)
        let clock = ContinuousClock()
        let duration = clock.measure {
            _ = Self.parts(text)
            _ = Self.parts("a " + text)
            _ = Self.parts(text + "]")
            _ = Self.parts(text + "](x)#\u{1}")
        }
        #expect(duration < .seconds(10), "\(duration)")
    }

    /// The parts say everything that the text says, except for marks.
    @Test func no_text_is_lost() {
        var state: UInt64 = 7
        let pieces = [
            "*", "_", "#", "!1 ", "!", "@", "'", "/", "[", "](", ")", " ", "a", "1", "+", "https://a.b", "\n", "é", ".",
            "\\",
        ]
        for _ in 0..<2000 {
            var text = "x "
            for _ in 0..<30 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                text += pieces[Int(state >> 33) % pieces.count]
            }
            guard let parts = Self.parts(text) else { continue }
            let length = parts.map(\.text.unicodeScalars.count).reduce(0, +)
            #expect(length <= text.unicodeScalars.count)
            #expect(!parts.contains { $0.text.isEmpty })
            #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.format != $1.format })
        }
    }
}

@Suite struct WebAddressTests {
    @Test(arguments: [
        ("https://example.com/page?ref=123", "https://example.com/page"), ("https://example.com/page?name", nil),
        ("https://example.com/page?name=abc", nil), ("https://example.com/page?search=query", nil),
        ("https://example.com/page?name=abc&ref=123", "https://example.com/page?name=abc"),
        ("https://example.com/page?ref=123&q=query", "https://example.com/page?q=query"),
        ("https://youtube.com/watch?v=abc&t=123", nil), ("https://www.youtube.com/watch?v=abc", nil),
        ("https://www.youtube.com/watch?ref=456&v=abc&t=123", "https://www.youtube.com/watch?v=abc&t=123"),
        ("https://youtu.be/a123?si=456", "https://youtu.be/a123"), ("https://youtu.be/a123?t=456", nil),
        ("https://youtu.be/a123?si=456&t=789#x", "https://youtu.be/a123?t=789#x"),
    ])
    func trackers_are_removed(text: String, expected: String?) throws {
        let address = try WebAddress(text: text)
        #expect(address.sanitized(isCautious: false) == expected)
        #expect(address.sanitized(isCautious: true) == expected)
    }

    @Test func unknown_parameters_stay_in_cautious_mode() throws {
        for name in ["source", "name"] {
            let address = try WebAddress(text: "https://example.com/page/a123?\(name)=abc")
            #expect(address.sanitized(isCautious: false) == "https://example.com/page/a123")
            #expect(address.sanitized(isCautious: true) == nil)
        }
    }

    @Test(arguments: ["", "a", "ftp://a.b", "https:", "https://", "https://a", "https://a.b:x", "https://a.b/\u{7F}"])
    func others_are_rejected(text: String) {
        #expect(throws: WebAddress.Invalid.self) { try WebAddress(text: text) }
    }
}
