import ChatCore
import TerminalKit
import Testing

@testable import REPL

@Suite struct OnboardingPageTests {
    private static let longPath = "/home/somebody/with/a/long/name/.local/share/tacit"

    private static var pages: [OnboardingPage] {
        [
            .key(store: longPath, keyFile: longPath + "/key"), .name, .relays, .ownRelay, .notifications,
        ]
    }

    @Test(arguments: [20, 40, 80, 200]) func pagesFitTheWidth(width: Int) {
        for page in OnboardingPageTests.pages {
            for line in page.lines(width: width) { #expect(line.width < width, "\(page.title): \(line.text)") }
        }
    }

    @Test func pagesFitASmallScreen() {
        let greeting = OnboardingPage.greeting.flatMap { $0.wrapped(toWidth: 39) }.count + 2
        for page in OnboardingPageTests.pages {
            #expect(page.lines(width: 40).count + greeting < 24, "\(page.title)")
            #expect(page.prompt.width + 8 < 40, "\(page.title)")
        }
    }

    @Test func numbersAndNamesAreAnswers() {
        let page = OnboardingPage.notifications
        #expect(page.reply(to: "2") == .option(2))
        #expect(page.reply(to: " periodic ") == .option(2))
        #expect(page.reply(to: "") == .option(3))
        for answer in ["0", "4", "-1", "always", "99999999999999999999"] { #expect(page.reply(to: answer) == .unclear) }
        #expect(page.answered("") == "3 off")
    }

    @Test func anyTextIsAnAnswerWhereNoneIsOffered() {
        #expect(OnboardingPage.name.reply(to: " Ann Lee ") == .text("Ann Lee"))
        #expect(OnboardingPage.name.reply(to: "1") == .text("1"))
        #expect(OnboardingPage.name.reply(to: "  ") == .unclear)
    }

    @Test(arguments: ["quit", "exit", "/quit", nil]) func everyStepCanBeLeft(answer: String?) {
        for page in OnboardingPageTests.pages { #expect(page.reply(to: answer) == .leave) }
    }

    @Test func everyStageButTheLastHasAPage() {
        #expect(OnboardingStage.allCases.filter { OnboardingPage($0) == nil } == [.complete])
    }

    @Test func relaysAreThoseOfAllOperatorsOrOfOneOrOthers() {
        let known = OnboardingPage.operators
        #expect(OnboardingPage.relays.options.count == known.count + 2)
        #expect(OnboardingPage.operators(of: 1) == known)
        for (index, tag) in known.enumerated() { #expect(OnboardingPage.operators(of: index + 2) == [tag]) }
        #expect(OnboardingPage.operators(of: known.count + 2) == [])
    }
}
