import Testing

@testable import REPL

@Suite struct TerminalRepliesTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func nothing_is_taken_out_before_a_question() {
        var replies = TerminalReplies()
        let (rest, answer) = replies.read(bytes("\u{1b}[?62;4c"))
        #expect(rest == bytes("\u{1b}[?62;4c") && answer == nil)
    }

    @Test(arguments: [
        ("\u{1b}[?62;4;22c", true), ("\u{1b}[?4c", true), ("\u{1b}[?62;22c", false), ("\u{1b}[?64;14c", false),
        ("\u{1b}_Gi=31;OK\u{1b}\\\u{1b}[?62c", true), ("\u{1b}_Gi=31;ENOTSUPPORTED\u{1b}\\\u{1b}[?62c", false),
    ])
    func answers_are_found_whole_and_in_pieces(text: String, shows: Bool) {
        for size in 1...text.utf8.count {
            var replies = TerminalReplies(), rest: [UInt8] = [], answer: Bool?
            replies.expect()
            let typed = bytes("a" + text + "b")
            for start in stride(from: 0, to: typed.count, by: size) {
                let (keys, found) = replies.read(Array(typed[start..<min(start + size, typed.count)]))
                rest += keys
                answer = found ?? answer
            }
            #expect(rest == bytes("ab") && answer == shows && !replies.isExpected, "\(size)")
        }
    }

    @Test func keys_are_no_answers() {
        var replies = TerminalReplies()
        replies.expect()
        for key in ["\u{1b}[A", "\u{1b}[1;5C", "\u{1b}OP", "\u{1b}a", "ü", "\u{1b}[200~x\u{1b}[201~", "\u{1b}[?6n"] {
            #expect(replies.read(bytes(key)).rest == bytes(key), "\(key)")
        }
        // The Escape key alone is held back until it is clear that nothing follows.
        #expect(replies.read([0x1b]).rest == [] && replies.isWaiting)
        #expect(replies.release() == [0x1b] && !replies.isWaiting)
    }

    @Test func endless_answers_are_given_out() {
        var replies = TerminalReplies()
        replies.expect()
        let text = bytes("\u{1b}_G" + String(repeating: "x", count: 1000))
        let rest = replies.read(text).rest + replies.release()
        #expect(rest == text)
    }
}
