import ChatCore
import Commands
import Navigation
import TerminalKit

/// The first steps, as far as they are not done: each is a page with one question, and a command of the tree.
///
/// The store holds how far they have come: a later session, also in another terminal, goes on with the next one.
final class FirstSteps {
    private let core: any Core
    private let failures: StoreFailures
    private let display: Display
    private let commands: any CommandRunner
    private let life: SessionLife
    /// Keeps a link that was pasted, until the steps are done.
    var onLink: (Destination) -> Void = { _ in }
    /// Called when all steps are done.
    var onCompletion: () async -> Void = {}
    /// True until all steps are done.
    private(set) var isGuiding = false

    init(core: any Core, failures: StoreFailures, display: Display, commands: any CommandRunner, life: SessionLife) {
        (self.core, self.failures, self.display) = (core, failures, display)
        (self.commands, self.life) = (commands, life)
    }

    /// Finds out if there are steps to be done.
    func begin() async {
        isGuiding = await stage() < .complete
    }

    /// Leads through the steps. Returns false if the screen was hidden or the person has left before the last one.
    func guide() async -> Bool {
        guard isGuiding else { return true }
        while let page = OnboardingPage(await stage()) {
            guard await take(page), !display.isHidden else { return false }
        }
        isGuiding = false
        display.say("setup is complete", .success)
        await onCompletion()
        return true
    }

    /// The next step; the end if the store cannot be read.
    private func stage() async -> OnboardingStage {
        await failures.value { try await core.execute(ShowOnboarding()).stage } ?? .complete
    }

    /// Asks the question of a page, and carries out the answer. Returns false if the person leaves.
    private func take(_ page: OnboardingPage) async -> Bool {
        let before = display.pauses
        display.print([""] + page.lines(width: display.area.width))
        let answer = await display.answer(to: page.prompt)
        // The question is asked again when the process goes on.
        if answer == nil, display.isHidden || display.pauses != before { return true }
        // The answer stays above the next page.
        if let answer { display.say("> \(page.answered(answer))", .muted) }
        let reply = page.reply(to: answer)
        if reply != .leave, !page.isDetour, OnboardingPage(await stage()) != page {
            display.say("another process has completed this step", .muted)
            return true
        }
        if let answer, reply != .leave, let isDone = await takePasted(answer, page) { return isDone }
        switch reply {
        case .leave: return leaveFirstSteps()
        case .unclear:
            display.say(page.advice, .warning)
            if page.isDetour { return await take(page) }
        case .text(let text) where page == .name: await commands.run(["profile", "create", "--", text])
        case .text(let text): return await addRelay(text)
        case .option(let number) where page == .relays: return await chooseRelays(number)
        case .option(let number) where page.commands.indices.contains(number - 1):
            await commands.run(page.commands[number - 1])
        case .option(let number): return await chooseMode(page.options[number - 1].name)
        }
        return true
    }

    /// Asks for the program that starts tacit, in a mode that needs one.
    private func chooseMode(_ mode: String) async -> Bool {
        if let page = OnboardingPage.starter(of: mode) { return await take(page) }
        _ = await commands.collect(["notify-mode", mode])
        return true
    }

    private func leaveFirstSteps() -> Bool {
        display.say("the next start resumes here", .muted)
        life.leave()
        return false
    }

    /// Takes a text that was pasted as the answer to another question: a link to a contact, or the address of a relay before its
    /// step. Nil for anything else.
    private func takePasted(_ answer: String, _ page: OnboardingPage) async -> Bool? {
        let pasted = PastedAddress(answer)
        switch pasted {
        case .link(let link):
            onLink(.link(link.text))
            display.say(pasted.explanation ?? "")
            return page.isDetour ? await take(page) : true
        case .relay, .fileRelay:
            guard page != .ownRelay else { return nil }
            if page == .relays { return await addRelay(answer) }
            display.say("This is a relay address, not an answer to this question.", .warning)
            return page.isDetour ? await take(page) : true
        case .webPage, .other: return nil
        }
    }

    /// Adds a relay, and asks again until that is done or the person goes back.
    private func addRelay(_ text: String) async -> Bool {
        if text == "back" { return true }
        let pasted = PastedAddress(text)
        if case .relay(let address) = pasted {
            if await commands.run(["server", "add", "--", address]) == .ok { return true }
        } else if let explanation = pasted.explanation {
            display.say(explanation, .warning)
        }
        return display.isHidden ? true : await take(.ownRelay)
    }

    /// Shows the conditions of public relays, or asks for the address of another one.
    private func chooseRelays(_ number: Int) async -> Bool {
        let operators = OnboardingPage.operators(of: number)
        if operators.isEmpty { return await take(.ownRelay) }
        let names = operators.map(\.tradeName).joined(separator: " and ")
        display.say("The relays of \(names) have these conditions of use:")
        // In one piece, so that it can be opened or copied.
        display.print([StyledText(UsageConditions.current.url, .link)])
        guard await display.confirm("Accept them?") else {
            display.say("not accepted: these relays are not used", .muted)
            return true
        }
        do { _ = try await core.execute(AcceptConditions(operators)) } catch { display.report(error) }
        return true
    }
}
