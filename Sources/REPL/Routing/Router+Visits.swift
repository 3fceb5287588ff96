import AgentProtocol
import ByteCoding
import ChatCore
import Commands
import JSONCoding
import Navigation
import TerminalKit

/// Links, and what notifications and other terminals name: the one way to all of them.
extension Session {
    /// Somebody in another terminal opens something. It is kept until the session can show something.
    func visit(_ text: String) -> SessionVisits.Outcome {
        guard let destination = Destination(text).flatMap({ pending.arrive($0) }) else { return .kept }
        enqueue { await $0.arrive(at: destination, isForeign: true) }
        return .shown
    }

    /// Goes to a destination. A link is planned first; whatever else is shown, in the profile that it belongs to.
    ///
    /// - Parameter isForeign: Whether another process wants that, and not the person who is typing.
    func arrive(at destination: Destination, isForeign: Bool = false) async {
        guard !isHidden else {
            _ = pending.arrive(destination)
            return
        }
        if isForeign, await !isFree(for: destination) { return }
        switch destination {
        case .link(let text):
            guard let link = SessionLink(text) else { return say("this link leads nowhere", .error) }
            await follow(link)
        case .chat(let number): await show(ChatScreen(await chat(numbered: number)))
        case .contact(let number): await show(ContactScreen(await chat(numbered: number)))
        case .message(let number):
            guard let located = try? await reader.item(number) else {
                return say("there is no such message any more", .error)
            }
            guard await go(to: ChatScreen(located.item.chat)) else { return }
            await goTo(message: number)
        case .place(let text), .name(let text):
            if await go(to: text) { await showTop() }
        }
    }

    /// Says where another terminal leads. Who is typing goes on typing, and is led there when the line is empty: the rest of it
    /// would go somewhere else.
    private func isFree(for destination: Destination) async -> Bool {
        let words = await words(for: destination)
        guard let editor, !editor.text.isEmpty || editor.isAsking else {
            say("another terminal opens \(words)", .muted)
            return true
        }
        say("another terminal opens \(words): it is shown when the line is empty", .muted)
        _ = laterDestinations.arrive(destination)
        return false
    }

    /// Goes where others wanted to lead while something was typed.
    func followOthers() {
        guard let editor, editor.text.isEmpty, !editor.isAsking, !isHidden, typedLines.isEmpty else { return }
        for destination in laterDestinations.activate() {
            enqueue { await $0.arrive(at: destination, isForeign: true) }
        }
        laterDestinations.deactivate()
    }

    private func words(for destination: Destination) async -> String {
        switch destination {
        case .link: "a link"
        case .chat(let number), .contact(let number):
            await reader.name(of: chat(numbered: number).subject).map { UntrustedText($0).quoted } ?? "a contact"
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

    /// Says what a link means, and follows it if that is wanted. One of somebody known leads to the conversation.
    ///
    /// - Parameter mayBeMessage: Whether it may be meant for the conversation on the screen.
    func follow(_ link: SessionLink, mayBeMessage: Bool = false) async {
        if mayBeMessage {
            let answer = await answer(to: "A link: connect with it, or send it as text? [c/s] ")?.trimmed.lowercased()
            if answer == "s" { return await send(link.text) }
            guard answer == "c" else { return say("nothing was done", .muted) }
        }
        switch await plan(link) {
        case .known(let contact):
            say("you know each other already")
            await show(ChatScreen(contact: contact))
        case .new:
            guard await confirm("Connect?") else { return say("nothing was done", .muted) }
            await run(["connect", "--", link.text])
        case .impossible: break
        }
    }

    /// What a link would lead to.
    private enum LinkPlan {
        case known(Int64)
        case new
        case impossible
    }

    /// Finds out whose link it is, which may need the relay, and says it if it is nobody's who is known.
    private func plan(_ link: SessionLink) async -> LinkPlan {
        let (code, reports) = await commands.collect(["open", "--dry-run", "--", link.text])
        guard code == .ok, let report = reports.first else { return .impossible }
        if report["type"]?.string == "contact" {
            guard let number = report["id"]?.string.flatMap({ Int64($0.dropFirst()) }) else { return .impossible }
            return .known(number)
        }
        return await run(["connect", "--dry-run", "--", link.text], isPart: true) == .ok ? .new : .impossible
    }
}
