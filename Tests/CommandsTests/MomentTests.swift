import Commands
import Testing

/// Times as people type them.
@Suite struct MomentTests {
    /// The moment, or the first one of the day, as RFC 3339 has it.
    private static func start(_ word: String) -> String? {
        Moment(word).map { "\($0.start(utc: true))" }
    }

    /// The moment, or the first one after the day.
    private static func end(_ word: String) -> String? {
        Moment(word).map { "\($0.end(utc: true))" }
    }

    @Test(arguments: ["2026-09-27T09:14:03Z", "2026-09-27T11:14:03+02:00"])
    func aMomentIsRead(word: String) {
        #expect(Self.start(word) == "2026-09-27T09:14:03.000Z")
        #expect(Self.end(word) == Self.start(word))
    }

    @Test func aDayHasABeginningAndAnEnd() {
        #expect(Self.start("2024-02-29") == "2024-02-29T00:00:00.000Z")
        #expect(Self.end("2024-02-29") == "2024-03-01T00:00:00.000Z")
        #expect(Self.end("yesterday") == Self.start("today"))
    }

    @Test func howLongAgo() throws {
        let two = try #require(Self.start("-2h")), one = try #require(Self.start("-1h"))
        #expect(two < one)
        #expect(Moment("2h") == Moment("-2h"))
    }

    @Test(arguments: [
        "", "-", "2", "-2", "--2h", "5 m", "2026", "2026-02-30", "2026-9-27", "tomorrow", "2026-09-27T", "2026-09-27 x",
    ])
    func anythingElseIsNone(word: String) {
        #expect(Moment(word) == nil)
    }

    @Test(arguments: ["2026-09-27", "-2h", "-500ms", "today", "yesterday"])
    func theWordComesBack(word: String) {
        #expect(Moment(word)?.word == word)
    }
}
