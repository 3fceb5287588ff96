import Testing

@testable import REPL

@Suite struct WrappedOutputTests {
    @Test func rowsAreBrokenBetweenWords() {
        #expect(WrappedOutput.text("one two three\n", width: 8) == "one two\nthree\n")
        #expect(WrappedOutput.text("  try: list outbox\nshort", width: 12) == "  try: list\n  outbox\nshort")
    }

    @Test func whatFitsStaysAsItIs() {
        let table = "a   b\n    c  d\n\n"
        #expect(WrappedOutput.text(table, width: 8) == table)
    }

    @Test func styleTakesNoRoom() {
        let styled = "\u{1b}[1;31mone two\u{1b}[0m"
        #expect(WrappedOutput.text(styled, width: 7) == styled)
        #expect(WrappedOutput.text(styled, width: 6) == "\u{1b}[1;31mone\ntwo\u{1b}[0m")
    }

    @Test func wideCharactersCountTwice() {
        #expect(WrappedOutput.text("日本 日本", width: 8) == "日本\n日本")
    }

    @Test func linksStayInOnePiece() {
        let link = "join https://relay.example/i#0123456789012345678901234567890123456789"
        #expect(WrappedOutput.text(link, width: 20) == link)
    }
}
