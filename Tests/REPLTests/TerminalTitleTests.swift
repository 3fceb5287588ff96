import TerminalKit
import Testing

@testable import REPL

@Suite struct TerminalTitleTests {
    @Test func aTitleSaysWhereTheSessionIs() {
        #expect(TerminalTitle.text(place: "alice:/bob", unread: 2) == "tacit (2) alice:/bob")
        #expect(TerminalTitle.text(place: "alice:/", unread: 0) == "tacit alice:/")
        #expect(TerminalTitle.text(place: "", unread: 0) == "tacit")
    }

    @Test(arguments: [
        "\u{1b}\\\u{7}rest", "\u{1b}]2;root\u{1b}\\", "\u{9c}\u{9d}2;x\u{9c}", "a\nb\r\tc", "\u{0}\u{7f}",
        "\u{202e}evil", "\u{200b}\u{2066}", "\r\n", "e\u{301}\u{1b}", String(repeating: "\u{1b}", count: 500),
    ])
    func noNameEndsTheSequence(name: String) {
        let title = TerminalTitle.text(place: name, unread: 1)
        #expect(title.hasPrefix("tacit (1) "))
        #expect(!title.unicodeScalars.contains { $0.value < 0x20 || (0x7f..<0xa0).contains($0.value) })
        #expect(!title.unicodeScalars.contains { ["\u{202e}", "\u{200b}", "\u{2066}"].contains($0) })
        #expect(title.displayWidth <= 64)
    }

    @Test func onlyTerminalsWithWindowsGetTitles() {
        for term in ["xterm", "xterm-256color", "tmux-256color", "screen", "rxvt-unicode", "alacritty"] {
            #expect(TerminalTitle.isKnown(to: term), "\(term)")
        }
        for term in ["", "dumb", "linux", "linux-16color", "vt100", "cons25"] {
            #expect(!TerminalTitle.isKnown(to: term), "\(term)")
        }
    }
}
