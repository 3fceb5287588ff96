import AgentProtocol
import ChatCore
import Commands
import Host
import JSONCoding
import Navigation
import TerminalKit

/// Links, and the places that notifications and other terminals name.
extension Router {
    /// Goes to a destination as soon as something can be shown.
    func take(_ destination: Destination) {
        guard let destination = pending.arrive(destination) else { return }
        scheduler.enqueue { [weak self] in await self?.arrive(at: destination) }
    }

    /// Takes a place that another process opens. It waits until the session can show something.
    func visit(_ text: String) -> SessionVisits.Outcome {
        guard let destination = Destination(text).flatMap({ pending.arrive($0) }) else { return .kept }
        scheduler.enqueue { [weak self] in await self?.arrive(at: destination, isForeign: true) }
        return .shown
    }

    /// Goes to a destination, in its profile. A link is planned first.
    ///
    /// - Parameter isForeign: True if another process opens it.
    func arrive(at destination: Destination, isForeign: Bool = false) async {
        guard !display.isHidden else {
            _ = pending.arrive(destination)
            return
        }
        if isForeign, await !isFree(for: destination) { return }
        switch destination {
        case .link(let text):
            guard let link = SessionLink(text) else { return display.say(SessionLink.obstacle(of: text), .error) }
            await follow(link)
        case .chat(let number): await show(ChatScreen(await chat(numbered: number)))
        case .group(let number): await show(ChatScreen(.group(number)))
        case .contact(let number): await show(ContactScreen(await chat(numbered: number)))
        case .message(let number):
            guard let located = await reader.failures.value({ try await reader.item(number) }) else {
                return display.say("the message no longer exists", .error)
            }
            guard await go(to: ChatScreen(located.item.chat)) else { return }
            await goTo(message: number)
        case .place(let text), .name(let text):
            if await go(to: text) { await showTop() }
        }
    }

    /// Says what another terminal opens. While something is typed it waits until the line is empty: the rest of the line would go
    /// to another chat.
    private func isFree(for destination: Destination) async -> Bool {
        let words = await words(for: destination)
        guard let terminal = display.terminal, !terminal.text.isEmpty || terminal.isAsking else {
            display.say("another terminal opens \(words)", .muted)
            return true
        }
        display.say("another terminal opens \(words): it is shown when the line is empty", .muted)
        _ = laterDestinations.arrive(destination)
        return false
    }

    /// Goes to the places that other processes opened while something was typed.
    func followOthers() {
        guard let terminal = display.terminal, terminal.text.isEmpty, !terminal.isAsking, !display.isHidden,
            drafts.lines.isEmpty
        else { return }
        for destination in laterDestinations.activate() {
            scheduler.enqueue { [weak self] in await self?.arrive(at: destination, isForeign: true) }
        }
        laterDestinations.deactivate()
    }

    /// A destination in a sentence.
    private func words(for destination: Destination) async -> String {
        switch destination {
        case .link: "a link"
        case .chat(let number), .contact(let number):
            await reader.name(of: chat(numbered: number).subject).map { UntrustedText($0).quoted } ?? "a contact"
        case .group(let number):
            await reader.name(of: Subject(.group, number)).map { UntrustedText($0).quoted } ?? "a group"
        case .message(let number): "message \(number)"
        case .place(let text), .name(let text): UntrustedText(text).quoted
        }
    }

    /// The contact or the notes with a number; a contact that is gone if there is neither.
    private func chat(numbered number: Int64) async -> ChatSubject {
        await reader.chat(numbered: number) ?? .contact(number)
    }

    private func show(_ screen: any Screen) async {
        if await go(to: screen) { await showTop() }
    }

    // MARK: - Links

    /// Finds out the owner of a link, and connects with it if the person agrees. A link of a known contact leads to the conversation.
    func follow(_ link: SessionLink) async {
        switch await plan(link) {
        case .known(let contact):
            display.say("you are already connected")
            await show(ChatScreen(contact: contact))
        case .new:
            guard await display.confirm("Connect?") else { return display.say("nothing was done", .muted) }
            await commands.run(["connect", "--", link.text])
        case .impossible: break
        }
    }

    /// The result of a link.
    private enum LinkPlan {
        case known(Int64)
        case new
        case impossible
    }

    /// Finds out the owner of a link, which may need the relay. The owner of a new link is printed.
    private func plan(_ link: SessionLink) async -> LinkPlan {
        let (code, reports) = await commands.collect(["open", "--dry-run", "--", link.text])
        guard code == .ok, let report = reports.first else { return .impossible }
        if report["type"]?.string == "contact" {
            guard let number = report["id"]?.string.flatMap({ Int64($0.dropFirst()) }) else { return .impossible }
            return .known(number)
        }
        let plan = await commands.run(["connect", "--dry-run", "--", link.text], isPart: true)
        return plan == .ok ? .new : .impossible
    }
}
