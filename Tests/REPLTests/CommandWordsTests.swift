import CommandKit
import Navigation
import Testing

@testable import REPL

@Suite struct CommandWordsTests {
    @Test(arguments: [
        ("send @bob hi", ["send", "@bob", "hi"]),
        ("send '@Ann Lee' \"it's \\\"me\\\"\"", ["send", "@Ann Lee", "it's \"me\""]),
        ("  a\\ b  'c' ''", ["a b", "c", ""]),
        ("don't $(stop) ; | > *", ["don't", "$(stop)", ";", "|", ">", "*"]),
        ("", []),
    ])
    func linesAreCut(line: String, words: [String]) {
        #expect(CommandWords(line).texts == words)
        #expect(CommandWords(line).openQuote == nil)
    }

    @Test func openQuotesAreSeen() {
        #expect(CommandWords("send 'Ann").openQuote == "'")
        #expect(CommandWords("send 'Ann").texts == ["send", "Ann"])
    }

    @Test func whatIsQuotedIsReadBack() {
        for word in ["plain", "Ann Lee", "it's", "a\"b\\c", "", "日本 語", "tab\tline\n"] {
            #expect(CommandWords(CommandWords.quoted(word)).texts == [word])
        }
    }

    @Test func restIsAsItWasTyped() {
        #expect(CommandWords.rest(of: "reply 12   two  spaces 'quoted'", after: 2) == "two  spaces 'quoted'")
        #expect(CommandWords.rest(of: "reply", after: 1) == "")
        #expect(CommandWords.rest(of: "reply", after: 3) == "")
    }
}

@Suite struct WordCompletionTests {
    private func outcome(_ typed: String, _ words: [String]) -> WordCompletion.Outcome {
        WordCompletion(0..<typed.utf8.count, typed: typed, words.map { Offer.Candidate($0) }).outcome
    }

    @Test func oneCandidateIsTakenWhole() {
        #expect(outcome("co", ["contact", "send"]) == .replace(0..<2, with: "contact "))
        #expect(outcome("@A", ["@Ann Lee"]) == .replace(0..<2, with: "\"@Ann Lee\" "))
        #expect(outcome("--t", ["--to="]) == .replace(0..<3, with: "--to="))
    }

    @Test func severalGiveWhatTheyShare() {
        #expect(outcome("c", ["contact", "connect"]) == .replace(0..<1, with: "con"))
        #expect(outcome("con", ["contact", "connect"]) == .choose(["contact", "connect"]))
        #expect(outcome("@A", ["@Ann Lee", "@Ann Low"]) == .replace(0..<2, with: "\"@Ann L"))
        #expect(outcome("x", ["contact"]) == .nothing)
    }
}

@Suite struct ScreenViewsTests {
    @Test func everyScreenCanBeShown() {
        #expect(ScreenViews.registry.missing == [])
    }
}
