import JSONCoding
import TerminalKit
import Testing

@Suite struct FailureTests {
    private static func busy() -> Failure {
        var details = JSONObject()
        details.set("pid", 4121)
        return Failure(
            "store.busy", .later, "cannot send to \(UntrustedText("@alice").quoted): the store is in use",
            why: ["pid 4121 (tacit watch) has held it since 09:14 and did not answer within 10 s"],
            tries: [
                Failure.Attempt("tacit status", "see who holds it"),
                Failure.Attempt(words: ["tacit", "--lock-timeout", "60s", "send", "@Ann Lee", "it's me"]),
            ],
            details: details)
    }

    @Test func aPersonReadsLines() {
        #expect(
            Self.busy().lines.map(\.text).joined(separator: "\n") == """
                tacit: cannot send to '@alice': the store is in use
                  why: pid 4121 (tacit watch) has held it since 09:14 and did not answer within 10 s
                  try: tacit status    see who holds it
                  try: tacit --lock-timeout 60s send '@Ann Lee' 'it'\\''s me'
                """)
    }

    @Test func aScriptReadsOneObject() {
        #expect(
            Self.busy().json.line
                == #"{"v":1,"type":"error","code":"store.busy","exit":75,"message":"cannot send to '@alice': the store is in use","#
                + #""why":"pid 4121 (tacit watch) has held it since 09:14 and did not answer within 10 s","#
                + #""try":["tacit status","tacit --lock-timeout 60s send '@Ann Lee' 'it'\\''s me'"],"details":{"pid":4121}}"#
        )
        let short = Failure("usage.verb", .usage, "say what")
        #expect(
            short.json.line == #"{"v":1,"type":"error","code":"usage.verb","exit":64,"message":"say what","try":[]}"#)
        #expect(short.lines.map(\.text) == ["tacit: say what"])
        #expect("\(short)" == "usage.verb")
    }

    @Test func notesStandInOneColumn() {
        let failure = Failure(
            "a.b", .bug, "x",
            tries: [
                Failure.Attempt("tacit a", "first"), Failure.Attempt("tacit abc", "second"),
                Failure.Attempt("tacit a very long line without a note"), Failure.Attempt("not shown"),
            ])
        #expect(
            failure.lines.map(\.text) == [
                "tacit: x", "  try: tacit a      first", "  try: tacit abc    second",
                "  try: tacit a very long line without a note",
            ])
    }

    @Test func aLongReasonFillsTwoLinesAndNoMore() {
        let sentence = Array(repeating: "word", count: 100).joined(separator: " ")
        let failure = Failure("a.b", .bug, sentence, why: [sentence])
        let lines = failure.lines.map(\.text)
        #expect(lines.count == 3)
        #expect(lines[0].displayWidth <= 200 && lines.dropFirst().allSatisfy { $0.displayWidth <= 100 })
        #expect(lines[0].hasPrefix("tacit: word word") && lines[0].hasSuffix("…"))
        #expect(lines[1].hasPrefix("  why: word") && lines[2].hasPrefix("       word") && lines[2].hasSuffix("…"))
        let facts = Failure("a.b", .bug, "x", why: ["one", "two", "three"])
        #expect(facts.lines.map(\.text) == ["tacit: x", "  why: one", "       two"])
        #expect(facts.json["why"] == "one\ntwo\nthree")
    }

    @Test func long_values_are_shortened_and_the_reason_stays() {
        let name = String(repeating: "long name ", count: 4),
            reason = "the relay of the contact does not accept the message"
        let path = "/very" + String(repeating: "/long", count: 30) + "/folder"
        for value in [UntrustedText(name).quoted, "'\(path)'", UntrustedText("it's \(name)").quoted] {
            let line = Failure("a.b", .bug, "cannot send to \(value): \(reason)").lines[0].text
            #expect(line.hasPrefix("tacit: cannot send to '") && line.hasSuffix("…': \(reason)"))
            #expect(line.displayWidth == 100)
        }
        let two = Failure("a.b", .bug, "cannot move '\(path)' to '\(path)x': no space is left").lines[0].text
        #expect(two.hasSuffix("…': no space is left") && two.displayWidth <= 100)
        let whole = "cannot \(reason) and \(reason)"
        #expect(Failure("a.b", .bug, whole).lines[0].text == "tacit: " + whole)
        #expect(Failure("a.b", .bug, "the contact's relay '\(path)': \(reason)").lines[0].text.hasSuffix(reason))
        #expect(
            Failure("a.b", .bug, "cannot send to '\(path)': x").json["message"]
                == .string("cannot send to '\(path)': x"))
    }

    @Test func untrusted_text_is_escaped_for_users_only() {
        let name = "x\u{1b}[2J\n  try: rm -rf ~"
        let failure = Failure(
            "a.b", .data, "no \(name)", why: [name], tries: [Failure.Attempt(words: ["tacit", name], name)])
        let shown = "x\\x1b[2J\\n  try: rm -rf ~"
        #expect(failure.lines.count == 3)
        #expect(failure.lines[0].text == "tacit: no \(shown)")
        #expect(failure.lines[1].text == "  why: \(shown)")
        #expect(failure.lines[2].text == "  try: tacit '\(shown)'    \(shown)")
        #expect(failure.json["message"] == .string("no \(name)"))
    }

    @Test func labelsAreColored() {
        let lines = Self.busy().lines.map { $0.rendered(inColor: true) }
        #expect(lines[0].hasPrefix("\u{1b}[1;31mtacit:\u{1b}[0m cannot"))
        #expect(lines[1].hasPrefix("\u{1b}[36m  why: \u{1b}[0mpid"))
        #expect(lines[2] == "\u{1b}[36m  try: \u{1b}[0mtacit status    \u{1b}[2msee who holds it\u{1b}[0m")
    }

    // MARK: - Parts

    @Test func exit_codes_are_stable() {
        let promised: [(Int32, String)] = [
            (0, "ok"), (1, "no"), (64, "usage"), (65, "data"), (66, "no input"), (67, "no target"), (68, "no host"),
            (69, "unavailable"), (70, "bug"), (71, "system"), (73, "no output"), (74, "I/O"), (75, "later"),
            (76, "protocol"), (77, "denied"), (78, "config"), (79, "trust"), (80, "partial"),
        ]
        #expect(ExitCode.allCases.map(\.rawValue) == promised.map(\.0))
        #expect(ExitCode.allCases.map(\.name) == promised.map(\.1))
        #expect(Set(ExitCode.allCases.map(\.meaning)).count == promised.count)
    }

    @Test func slugsHaveOneForm() {
        for text in ["store.busy", "usage.option-value", "a1.b2"] { #expect(Slug(text)?.text == text) }
        for text in [
            "", "store", "store.", ".busy", "store.busy.now", "Store.busy", "store.bu sy", "store.-x", "store.x-",
            "störe.x",
        ] {
            #expect(Slug(text) == nil)
        }
    }

    @Test func wordsAreQuotedForTheShell() {
        for (word, quoted) in [
            ("plain", "plain"), ("@alice", "@alice"), ("+team", "+team"), ("a/b.c-d_e=f:g,h%", "a/b.c-d_e=f:g,h%"),
            ("", "''"),
            ("Ann Lee", "'Ann Lee'"), ("it's", "'it'\\''s'"), ("$(rm)", "'$(rm)'"), ("#team", "'#team'"), ("~", "'~'"),
            ("é", "'é'"), ("a\nb", "'a\nb'"), ("!", "'!'"), ("*", "'*'"),
        ] {
            #expect(ShellWord.quoted(word) == quoted)
        }
    }
}
