import ChatCore
import Navigation
import TerminalKit

/// The session's own commands that lead to places.
extension Router {
    /// Carries out a command that leads somewhere. Returns false for another one.
    func perform(_ word: SessionWord, _ line: CommandWords, _ rest: String) async -> Bool {
        switch word {
        case .open, .cd: await open(rest)
        case .back:
            await change { $0.pop() }
            await showTop()
        case .up:
            if await go(to: "..") { await showTop() }
        case .home:
            await change { $0.popToFirstOpened() }
            if state.path.home == nil { await startAtHome() }
            await showTop()
        case .next: await goToNextUnread()
        case .requests, .settings:
            if await go(to: "/" + word.rawValue) { await showTop() }
        case .show:
            guard rest.isEmpty || conversation == nil else { return false }
            await showTop()
        case .new: await lay(.newChat)
        case .picker: await lay(.profilePicker)
        case .transfer: await lay(.transfer)
        case .news: await lay(.whatsNew)
        case .more, .end, .search, .goto, .info:
            do { try await performInConversation(word, line, rest) } catch { display.report(error) }
        case .reply, .edit, .delete, .moderate, .react, .forward, .attach, .receive, .save, .msg, .decline, .lock,
            .clear, .help, .question,
            .quit,
            .exit, .q, .say:
            return false
        }
        return true
    }

    private func performInConversation(_ word: SessionWord, _ line: CommandWords, _ rest: String) async throws {
        guard let conversation else { return }
        let number = line.messageNumber
        switch word {
        case .more: try await showMore(conversation)
        case .end: await showEnd()
        case .search: try await search(rest, conversation)
        case .goto:
            if let number { await goTo(message: number) } else { display.say("/goto NUMBER", .error) }
        default: await show(about: conversation, number)
        }
    }

    private func show(about chat: ChatReference, _ message: Int64?) async {
        if let message {
            if await go(to: MessageScreen(chat.subject, message: message)) { await showTop() }
        } else if await go(to: ContactScreen(chat.subject)) {
            await showTop()
        }
    }

    /// Goes to an entry of the screen, a contact by name, or a place.
    private func open(_ rest: String) async {
        let name = CommandWords(rest).texts.joined(separator: " ")
        guard !name.isEmpty else {
            await change { $0.popToFirstOpened() }
            return await showTop()
        }
        if let destination = Destination(name), destination.isFixed { return await arrive(at: destination) }
        if await choose(rest) { return }
        if await reach(name) { await showTop() }
    }

    /// Goes to a contact by name, or to a place.
    func reach(_ name: String) async -> Bool {
        let isTarget = name.first == "@" || name.first == "+" || name.hasPrefix("id:")
        let isPath = name.first == "/" || name.first == "."
        if !isPath, let chat = await chat(named: name) {
            return await go(to: ChatScreen(chat))
        }
        if name == "notes" {
            await openNotes()
            return false
        }
        guard isTarget else { return await go(to: name) }
        let kind = name.first == "+" ? "group" : "contact"
        display.say("unknown \(kind) \(UntrustedText(name).quoted)", .error)
        return false
    }

    /// The chat with a name, with or without `@` or `+`, or with an id.
    func chat(named name: String) async -> ChatReference? {
        if name.hasPrefix("id:c"), let number = Int64(name.dropFirst(4)) {
            return ChatReference(await reader.chat(numbered: number) ?? .contact(number))
        }
        if name.hasPrefix("id:g"), let number = Int64(name.dropFirst(4)) { return .group(GroupID(number)) }
        guard let profile = state.profile else { return nil }
        let plain = name.first == "@" || name.first == "+" ? String(name.dropFirst()) : name
        return await reader.chat(named: plain, in: profile).map { ChatReference($0) }
    }

    /// Goes back to a screen that is still there, after a command has removed the contact of this one.
    func leaveWhatIsGone() async {
        guard let subject = chat?.subject.subject, await reader.profile(of: subject) == nil else { return }
        await change { path in
            while path.top.value.subjects.contains(subject) { path.pop() }
        }
        await showTop()
    }
}

extension CommandWords {
    /// The message that the first word behind the command names: `12` or `m12`.
    var messageNumber: Int64? {
        guard texts.count > 1 else { return nil }
        return texts[1].first == "m" ? Int64(texts[1].dropFirst()) : Int64(texts[1])
    }
}
