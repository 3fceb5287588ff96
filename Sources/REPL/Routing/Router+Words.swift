import ByteCoding
import ChatCore
import ChatProtocol
import Commands
import Navigation
import TerminalKit

/// The session's own commands that lead to places.
extension Router {
    /// Carries out a command that leads somewhere. Returns false for another one.
    func perform(_ word: SessionWord, _ line: CommandWords, _ rest: String) async -> Bool {
        switch word {
        case .open, .cd, .query: await open(rest)
        case .back:
            await change { $0.pop() }
            await showTop()
        case .up:
            if await go(to: "..") { await showTop() }
        case .home, .close:
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
        case .unread: await showUnread()
        case .search where conversation == nil:
            guard !rest.isEmpty else {
                display.say("search WORDS", .error)
                return true
            }
            await commands.run(["message", "search", "--", rest])
        case .more, .end, .search, .goto, .info, .names, .topic, .whois, .url:
            do { try await performInConversation(word, line, rest) } catch { display.report(error) }
        case .reply, .edit, .delete, .moderate, .react, .forward, .attach, .receive, .save, .msg, .decline, .lock,
            .clear, .help, .question, .quit, .exit, .q, .say, .me:
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
            if let number { return await goTo(message: number) }
            guard let moment = Moment(rest) else { return display.say("/goto NUMBER, or a date: 2026-09-27", .error) }
            try await goTo(moment, in: conversation)
        case .names: try await showNames(of: conversation)
        case .topic: try await showTopic(rest, of: conversation)
        case .whois: try await showPerson(rest, in: conversation)
        case .url: try await openLink(number, in: conversation)
        default:
            if let number { return try await showSheet(about: number, in: conversation) }
            if await go(to: ContactScreen(conversation.subject)) { await showTop() }
        }
    }

    // MARK: - Sheets over a chat

    /// Shows what is known of a message over its chat, which stays the place where one types.
    private func showSheet(about number: Int64, in conversation: ChatReference) async throws {
        let located = try await reader.item(number)
        guard located.item.chat == conversation else { throw ChatError.itemNotFound(ChatItemID(number)) }
        let view = MessageView(screen: MessageScreen(conversation.subject, message: number))
        let drawing = try await view.drawing(reader, area)
        display.print(drawing.lines + [area.rule("chat")])
    }

    /// Goes to the first message of a day, or after a moment.
    private func goTo(_ moment: Moment, in conversation: ChatReference) async throws {
        var query = ItemQuery()
        (query.chat, query.since, query.count, query.takesOldest) = (conversation, moment.start(utc: false), 1, true)
        let profile = try await reader.chat(conversation).chat.profileID
        guard let first = try await reader.execute(FindItems(profile, query)).items.first else {
            return display.say("no messages since then", .muted)
        }
        await goTo(message: first.item.id.number)
    }

    /// Lists the members of the group on the screen.
    private func showNames(of conversation: ChatReference) async throws {
        guard case .group(let group) = conversation else { return display.say("/names works in groups", .error) }
        display.print(try await MembersView(group: group).drawing(reader, area).lines)
    }

    /// Shows or changes the description of the group on the screen.
    private func showTopic(_ text: String, of conversation: ChatReference) async throws {
        guard case .group(let id) = conversation else { return display.say("/topic works in groups", .error) }
        guard text.isEmpty else {
            await commands.run(["group", "set", "id:\(ObjectID.text(.group(id)))", "--description=\(text)"])
            return
        }
        let topic = try await reader.group(id).profile.shortDescription ?? ""
        display.say(topic.isEmpty ? "the group has no description; /topic TEXT sets one" : topic)
    }

    /// Shows a member of the group on the screen, or the contact.
    private func showPerson(_ typed: String, in conversation: ChatReference) async throws {
        let word = CommandWords(typed).texts.joined(separator: " ")
        let name = word.first == "@" ? String(word.dropFirst()) : word
        if case .group(let group) = conversation, !name.isEmpty,
            let member = try await reader.members(of: group).first(where: { $0.name == name })
        {
            await commands.run(["group", "member", "id:\(ObjectID.text(member.id))"])
        } else if !name.isEmpty {
            await commands.run(["contact", "show", "@" + name])
        } else if case .direct(let id) = conversation {
            await commands.run(["contact", "show", "id:c\(id.number)"])
        } else {
            display.say("/whois NAME", .error)
        }
    }

    /// Opens the link in a message with the user's program, or copies the link.
    private func openLink(_ number: Int64?, in conversation: ChatReference) async throws {
        guard let number else { return display.say("/url NUMBER", .error) }
        let located = try await reader.item(number)
        guard located.item.chat == conversation else { throw ChatError.itemNotFound(ChatItemID(number)) }
        let links = SessionLink.links(in: located.item.content.plainText)
        guard let first = links.first else { return display.say("message \(number) has no link", .error) }
        var link = first
        if links.count > 1 {
            display.print(
                zip(1..., links).flatMap { index, link in area.text("\(index)  \(UntrustedText(link))") })
            let typed = await display.answer(to: StyledText("1-\(links.count): "))?.trimmed ?? ""
            guard let index = Int(typed), links.indices.contains(index &- 1) else {
                return display.say("nothing was done", .muted)
            }
            link = links[index - 1]
        }
        // The whole link can be read before it is opened.
        display.say(link)
        if let link = SessionLink(link) { return await follow(link) }
        await browse(link)
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
