import TerminalKit
import Testing

@testable import REPL

@Suite struct PromptLayoutTests {
    private func layout(
        _ text: String, cursor: Int? = nil, prompt: StyledText = "> ", width: Int = 20, height: Int = 10
    ) -> PromptLayout {
        PromptLayout(prompt: prompt, text: text, cursor: cursor ?? text.utf8.count, width: width, height: height)
    }

    private func rows(_ layout: PromptLayout) -> [String] { layout.rows.map(\.text) }

    @Test func shortLineStandsBehindThePrompt() {
        let short = layout("hi")
        #expect(rows(short) == ["> hi"])
        #expect((short.cursorRow, short.cursorColumn) == (0, 4))
    }

    @Test func lastColumnStaysEmpty() {
        let long = layout(String(repeating: "x", count: 40))
        #expect(rows(long) == ["> " + String(repeating: "x", count: 17), String(repeating: "x", count: 19), "xxxx"])
        #expect((long.cursorRow, long.cursorColumn) == (2, 4))
        let full = layout(String(repeating: "x", count: 17))
        #expect((full.cursorRow, full.cursorColumn) == (0, 19))
    }

    @Test func wideCharactersAreNotBroken() {
        let wide = layout(String(repeating: "日", count: 9))
        #expect(rows(wide) == ["> " + String(repeating: "日", count: 8), "日"])
        let before = layout(String(repeating: "日", count: 9), cursor: 24)
        #expect((before.cursorRow, before.cursorColumn) == (1, 0))
    }

    @Test func lineBreaksStartRows() {
        let lines = layout("one\ntwo\n", cursor: 5)
        #expect(rows(lines) == ["> one", "two", ""])
        #expect((lines.cursorRow, lines.cursorColumn) == (1, 1))
    }

    @Test func nothingTypedReachesTheTerminalAsACommand() {
        #expect(rows(layout("a\u{1b}[2Jb\tc", width: 60)) == ["> a\\x1b[2Jb     c"])
    }

    @Test func onlyRowsAroundTheCursorAreShown() {
        let text = (0..<30).map { "line \($0)" }.joined(separator: "\n")
        let end = layout(text, height: 5)
        #expect(rows(end).last == "line 29" && end.rows.count == 5 && end.cursorRow == 4)
        let start = layout(text, cursor: 0, height: 5)
        #expect(rows(start).first == "> line 0" && start.cursorRow == 0)
    }

    @Test func longPromptsLeaveRoom() {
        let narrow = layout("x", prompt: StyledText(String(repeating: "p", count: 60)), width: 20)
        #expect(rows(narrow).count == 1 && narrow.rows[0].width <= 19)
    }

    @Test func typingAtTheEndAddsOnly() {
        #expect(layout("hell").addition(to: layout("hel")) == "l")
        #expect(layout("hell", cursor: 2).addition(to: layout("hel", cursor: 2)) == nil)
        #expect(layout("hel").addition(to: layout("hell")) == nil)
        #expect(layout("e\u{301}").addition(to: layout("e")) == nil)
    }

    @Test func oneRowShowsTheEnd() {
        let row = PromptLayout(prompt: "> ", oneRowOf: "abcdefghijklmnopqrstuvwxyz", cursor: 26, width: 20)
        #expect(rows(row) == ["> <klmnopqrstuvwxyz"] && row.cursorColumn == 19)
        let middle = PromptLayout(prompt: "> ", oneRowOf: "ab\ncd", cursor: 2, width: 20)
        #expect(rows(middle) == ["> ab\\ncd"] && middle.cursorColumn == 4)
    }
}

@Suite struct TypedInputTests {
    private let paste = Array("ab\u{1b}[200~one\rtwo\u{1b}[201~c\u{1b}[A".utf8)

    @Test func pastesAreToldFromKeysHoweverTheyAreCut() {
        let whole: [TypedInput.Part] = [
            .keys(Array("ab".utf8)), .paste(Array("one\rtwo".utf8)), .keys(Array("c\u{1b}[A".utf8)),
        ]
        for cut in 0...paste.count {
            var input = TypedInput()
            let parts = input.read(Array(paste[..<cut])) + input.read(Array(paste[cut...]))
            #expect(joined(parts) == whole, "cut at \(cut)")
            #expect(!input.isWaiting)
        }
    }

    @Test func beginningsAreGivenOutInTheEnd() {
        var input = TypedInput()
        #expect(input.read([0x1b]) == [] && input.isWaiting)
        #expect(input.release() == [.keys([0x1b])] && !input.isWaiting)
        #expect(input.read(Array("\u{1b}[200~lost".utf8)) == [])
        #expect(input.release() == [.paste(Array("lost".utf8))])
    }

    @Test func pastedTextHoldsNoControls() {
        #expect(TypedInput.text(pasted: Array("a\r\nb\rc\u{1b}[31m\td\u{7}\n".utf8)) == "a\nb\nc[31m\td")
        #expect(TypedInput.text(pasted: [0x61, 0xff]) == "a\u{fffd}")
    }

    /// Keys that come one after the other are the same as keys that come together.
    private func joined(_ parts: [TypedInput.Part]) -> [TypedInput.Part] {
        parts.reduce(into: []) { result, part in
            if case .keys(let more) = part, case .keys(let keys)? = result.last {
                result[result.count - 1] = .keys(keys + more)
            } else {
                result.append(part)
            }
        }
    }

    @Test func aBannerStandsAboveThePrompt() {
        let layout = PromptLayout(
            banner: "somebody calls", prompt: "> ", text: "hello", cursor: 5, width: 12, height: 5)
        #expect(layout.rows.map(\.text) == ["somebody c…", "> hello"])
        #expect((layout.cursorRow, layout.cursorColumn) == (1, 7))
        // The line has what is left; where there is no room for both, there is no banner.
        let long = String(repeating: "x", count: 60)
        let full = PromptLayout(banner: "b", prompt: "> ", text: long, cursor: 60, width: 12, height: 3)
        #expect(full.rows.count == 3 && full.rows.first?.text == "b" && full.cursorRow == 2)
        let low = PromptLayout(banner: "b", prompt: "> ", text: "", cursor: 0, width: 12, height: 1)
        #expect(low.rows.map(\.text) == ["> "])
    }
}
