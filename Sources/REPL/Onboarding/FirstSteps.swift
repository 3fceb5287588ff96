import ChatCore
import Commands
import Navigation
import TerminalKit

/// The first steps, as far as they are not done: each is a page with one question, and a command of the tree.
///
/// How far they have come is in the store, and not here: whoever leaves, or does a step in another terminal, goes on
/// with the one that is left.
extension Session {
    /// Looks whether there are steps to be done.
    func findFirstSteps() async {
        isGuiding = await stage() < .complete
    }

    /// Leads through the steps that are not done. Returns whether all are; if not, the screen was hidden, or the person
    /// has left.
    func guide() async -> Bool {
        guard isGuiding else { return true }
        while let page = OnboardingPage(await stage()) {
            guard await take(page), !isHidden else { return false }
        }
        isGuiding = false
        say("setup is complete", .success)
        await startAtHome()
        return true
    }

    /// What cannot be found out is nothing to lead anybody through.
    private func stage() async -> OnboardingStage {
        (try? await store.execute(ShowOnboarding()).stage) ?? .complete
    }

    /// Asks what a page asks, and does what was answered. False if the person leaves.
    private func take(_ page: OnboardingPage) async -> Bool {
        let before = display.pauses
        print([""] + page.lines(width: area.width))
        let answer = await answer(to: page.prompt)
        // The question is asked anew when the process goes on.
        if answer == nil, isHidden || display.pauses != before { return true }
        // What was answered stays above the next page.
        if let answer { say("> \(page.answered(answer))", .muted) }
        let reply = page.reply(to: answer)
        if reply != .leave, !page.isDetour, OnboardingPage(await stage()) != page {
            say("another process has completed this step", .muted)
            return true
        }
        if let answer, reply != .leave, let isDone = await takePasted(answer, page) { return isDone }
        switch reply {
        case .leave: return leaveFirstSteps()
        case .unclear:
            say(page.advice, .warning)
            if page.isDetour { return await take(page) }
        case .text(let text) where page == .name: await run(["profile", "create", "--", text])
        case .text(let text): return await addRelay(text)
        case .option(let number) where page == .relays: return await chooseRelays(number)
        case .option(let number) where page.commands.indices.contains(number - 1): await run(page.commands[number - 1])
        case .option(let number): return await chooseMode(page.options[number - 1].name)
        }
        return true
    }

    /// Asks what is to start tacit, if something has to.
    private func chooseMode(_ mode: String) async -> Bool {
        if let page = OnboardingPage.starter(of: mode) { return await take(page) }
        _ = await commands.collect(["notify-mode", mode])
        return true
    }

    private func leaveFirstSteps() -> Bool {
        say("the next start resumes here", .muted)
        leave()
        return false
    }

    /// Understands what is pasted where something else is asked for: a link to a contact, or the address of a relay before its
    /// turn. Nil for anything else.
    private func takePasted(_ answer: String, _ page: OnboardingPage) async -> Bool? {
        let pasted = PastedAddress(answer)
        switch pasted {
        case .link(let link):
            if let destination = pending.arrive(.link(link.text)) { enqueue { await $0.arrive(at: destination) } }
            say(pasted.explanation ?? "")
            return page.isDetour ? await take(page) : true
        case .relay, .fileRelay:
            guard page != .ownRelay else { return nil }
            if page == .relays { return await addRelay(answer) }
            say("This is the address of a relay, and no answer to this question.", .warning)
            return page.isDetour ? await take(page) : true
        case .webPage, .other: return nil
        }
    }

    /// Adds a relay, and asks again until that is done or the person goes back.
    private func addRelay(_ text: String) async -> Bool {
        if text == "back" { return true }
        let pasted = PastedAddress(text)
        if case .relay(let address) = pasted {
            if await run(["server", "add", "--", address]) == .ok { return true }
        } else if let explanation = pasted.explanation {
            say(explanation, .warning)
        }
        return isHidden ? true : await take(.ownRelay)
    }

    /// Shows the conditions of public relays, or asks for the address of another one.
    private func chooseRelays(_ number: Int) async -> Bool {
        let operators = OnboardingPage.operators(of: number)
        if operators.isEmpty { return await take(.ownRelay) }
        let names = operators.map(\.tradeName).joined(separator: " and ")
        say("The relays of \(names) have these conditions of use:")
        // In one piece, so that it can be opened or copied.
        print([StyledText(UsageConditions.current.url, .link)])
        guard await confirm("Accept them?") else {
            say("not accepted: these relays are not used", .muted)
            return true
        }
        do { try await store.execute(AcceptConditions(operators)) } catch { report(error) }
        return true
    }
}
