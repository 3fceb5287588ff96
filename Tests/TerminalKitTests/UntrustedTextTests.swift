import TerminalKit
import Testing

/// The two ways in which the text of a peer is shown.
@Suite struct UntrustedTextTests {
    static let bodies: [(text: String, width: Int?, rows: [String])] = [
        ("hi", nil, ["│ hi"]),
        ("", nil, ["│"]),
        ("one\ntwo", nil, ["│ one", "│ two"]),
        ("one\r\ntwo\r\n", nil, ["│ one", "│ two", "│"]),
        ("one\n\n\ntwo", 40, ["│ one", "│", "│", "│ two"]),
        ("one\rtwo", nil, ["│ one\\rtwo"]),
        ("one\r\rtwo\r", nil, ["│ one\\r\\rtwo"]),
        ("│ forged\n@bob 11:14", nil, ["│ │ forged", "│ @bob 11:14"]),
        ("a\tb\tc", nil, ["│ a       b       c"]),
        ("12345678\t9", nil, ["│ 12345678        9"]),
        ("漢\tb", nil, ["│ 漢      b"]),
        ("a long line of words", 12, ["│ a long", "│ line of", "│ words"]),
        ("abcdefghijklmno", 12, ["│ abcdefghij", "│ klmno"]),
        ("\u{1b}[2J\nx", nil, ["│ \\x1b[2J", "│ x"]),
        ("  indented", 40, ["│   indented"]),
        ("x", 1, ["│ x"]),
    ]

    @Test(arguments: bodies.indices)
    func drawsABodyBehindAMargin(index: Int) {
        let (text, width, rows) = Self.bodies[index]
        #expect(UntrustedText(text).body(width: width).map(\.text) == rows)
    }

    @Test(.timeLimit(.minutes(5))) func tabs_take_linear_time() {
        let lines = UntrustedText("é" + String(repeating: "\t", count: 30_000)).escapedLines
        #expect(lines.map(\.count) == [1 + 7 + 29_999 * 8])
    }

    @Test func theMarginIsMuted() {
        let row = UntrustedText("hi").body(width: 40)[0]
        #expect(row.rendered(inColor: true) == "\u{1b}[2m│ \u{1b}[0mhi")
        #expect(row.rendered(inColor: false) == "│ hi")
    }

    @Test func namesAreQuoted() {
        #expect(UntrustedText("@Ann Lee").quoted == "'@Ann Lee'")
        #expect(UntrustedText("x': the store is in use").quoted == "'x\\': the store is in use'")
        #expect(UntrustedText("a\nb").quoted == "'a\\nb'")
        #expect(
            UntrustedText(String(repeating: "n", count: 500)).quoted == "'" + String(repeating: "n", count: 47) + "…'")
    }

    @Test func aDescriptionIsEscapedToo() {
        #expect("\(UntrustedText("\u{1b}c"))" == "\\x1bc")
    }
}
