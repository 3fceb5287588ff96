import AgentProtocol
import ChatCore
import ChatProtocol
import Commands
import Navigation
import SystemIO
import TerminalKit

/// What is done in a conversation.
extension Session {
    /// Sends a text, and shows it.
    ///
    /// - Parameter typed: The line that comes back if that fails, where it is not the text alone.
    func send(_ text: String, answering quoted: ChatItemID? = nil, typed: String? = nil) async {
        guard let conversation else { return }
        let message = ComposedMessage(MessageContent(text), answering: quoted)
        do {
            let items = try await store.execute(SendMessages(.reference(conversation), [message])).items
            // Until it is on disk it is a draft.
            lineIsDone()
            await keepDraft(unsentText)
            if !isAtEnd { await showEnd() } else { show(new: items) }
            outbox.note(items)
        } catch {
            report(error)
            // What could not be sent is not lost.
            giveBack(typed ?? text)
        }
    }

    /// Shows entries below the others.
    func show(new items: [LocatedItem]) {
        for located in items {
            print(messages.lines(located.item, from: located.chat.name, isFresh: true))
            extend(to: located.item.id.number)
        }
    }

    private func extend(to number: Int64) {
        guard let range = shownItems else {
            shownItems = number...number
            return
        }
        shownItems = min(range.lowerBound, number)...max(range.upperBound, number)
    }

    private func showEnd() async {
        position = nil
        await showTop()
    }

    /// Carries out one of the words about conversations.
    func performInConversation(_ word: SessionWord, _ line: CommandWords, _ rest: String) async {
        guard let conversation else { return }
        let number = Session.messageNumber(line)
        let text = CommandWords.rest(of: rest, after: 1)
        do {
            switch word {
            case .more: try await showMore(conversation)
            case .end: await showEnd()
            case .search: try await search(rest, conversation)
            case .goto:
                if let number { await goTo(message: number) } else { say("/goto NUMBER", .error) }
            case .info:
                await show(about: conversation, number)
            case .edit where line.words.count == 1: await writeInEditor()
            case .reply, .edit, .delete, .react, .forward:
                guard let number else { return say("/\(word.rawValue) \(word.arguments)", .error) }
                try await change(word, ChatItemID(number), text, conversation)
            default: break
            }
        } catch {
            report(error)
        }
    }

    private func show(about chat: ChatReference, _ message: Int64?) async {
        if let message {
            if await go(to: MessageScreen(chat.subject, message: message)) { await showTop() }
        } else if await go(to: ContactScreen(chat.subject)) {
            await showTop()
        }
    }

    /// The first word behind the command: `12` or `m12`.
    private static func messageNumber(_ line: CommandWords) -> Int64? {
        guard line.texts.count > 1 else { return nil }
        let word = line.texts[1]
        return word.first == "m" ? Int64(word.dropFirst()) : Int64(word)
    }

    private func change(
        _ word: SessionWord, _ id: ChatItemID, _ text: String, _ conversation: ChatReference
    ) async throws {
        let chat = ChatTarget.reference(conversation)
        switch word {
        case .reply where !text.isEmpty: await send(text, answering: id)
        case .edit where !text.isEmpty:
            let edited = try await store.execute(EditItem(chat, id, MessageContent(text)))
            if edited.isChanged { show(changed: edited.item) } else { say("nothing changed", .muted) }
        case .react where !text.isEmpty: try await react(text, id, chat)
        case .forward where !text.isEmpty:
            guard let target = await self.chat(named: CommandWords(text).texts.joined(separator: " ")) else {
                return say("there is no contact \(UntrustedText(text).quoted)", .error)
            }
            let command = ForwardMessages(to: .reference(target), from: chat, [id])
            let items = try await store.execute(command).items
            if target == conversation { show(new: items) }
            say("forwarded", .success)
        case .delete: try await delete(id, conversation, chat)
        default: say("/\(word.rawValue) \(word.arguments)", .error)
        }
    }

    /// Shows an entry that is above once more, as it is now.
    func show(changed located: LocatedItem) {
        print(messages.lines(located.item, from: located.chat.name))
    }

    private func react(_ text: String, _ id: ChatItemID, _ chat: ChatTarget) async throws {
        guard let reaction = EmojiNames.reaction(text.trimmed) else {
            return say("one of \(EmojiNames.list)", .error)
        }
        let located = try await reader.item(id.number)
        let isGiven = located.item.reactions.contains { $0.direction == .sent && $0.reaction == reaction }
        show(changed: try await store.execute(React(chat, id, reaction, isAdded: !isGiven)).item)
    }

    /// Takes an own message back from both sides, or removes one of the other side here.
    private func delete(_ id: ChatItemID, _ conversation: ChatReference, _ chat: ChatTarget) async throws {
        let located = try await reader.item(id.number)
        guard located.item.chat == conversation else { throw ChatError.itemNotFound(id) }
        let isDeleted = located.item.deletedAt != nil
        let isOwn = located.item.direction == .sent && !located.chat.isNotes && !isDeleted
        let question = isOwn ? "Delete message \(id.number) for both?" : "Delete message \(id.number) here?"
        guard await confirm(StyledText(question)) else { return say("nothing was deleted", .muted) }
        let isDone = await remove(id, chat, isOwn ? .broadcast : .internal)
        if !isDone {
            guard isOwn, await confirm("It cannot be deleted for both. Delete it here only?") else { return }
            try await store.execute(DeleteItems(chat, [id], .internal))
        }
        say("deleted \(id.number)", .success)
    }

    private func remove(_ id: ChatItemID, _ chat: ChatTarget, _ mode: DeletionMode) async -> Bool {
        (try? await store.execute(DeleteItems(chat, [id], mode))) != nil
    }

    // MARK: - Going through the past

    func pageUp() async {
        guard !isHidden, let conversation else { return }
        do { try await showMore(conversation) } catch { report(error) }
    }

    func pageDown() async {
        guard !isHidden, conversation != nil, !isAtEnd else { return }
        await showEnd()
    }

    private func showMore(_ conversation: ChatReference) async throws {
        guard let first = shownItems?.lowerBound else { return say("no earlier messages", .muted) }
        let drawing = try await ChatView(chat: conversation).earlier(than: first, reader, area)
        guard drawing.shownItems != nil else { return say("no earlier messages", .muted) }
        await show(drawing)
        isAtEnd = false
        await rememberPlace()
    }

    private func search(_ words: String, _ conversation: ChatReference) async throws {
        guard !words.isEmpty else { return say("/search WORDS", .error) }
        let chat = try await reader.chat(conversation).chat
        let room = max(area.height - 4, 5)
        let items = try await reader.search(words, in: chat, count: room + 1)
        guard !items.isEmpty else {
            return say("No messages with \(UntrustedText(words).quoted) in this chat.", .muted)
        }
        print([area.rule("found")])
        if items.count > room {
            let all = "/message search \(CommandWords.quoted(words)) --in \(CommandWords.quoted("@\(chat.name)"))"
            say("…  \(all) shows all", .muted)
        }
        var lines = MessageLines(width: area.width)
        for item in items.suffix(room) { print(lines.lines(item, from: chat.name)) }
        say("/goto NUMBER shows a message and those around it", .muted)
    }

    /// Shows the entries around one.
    func goTo(message number: Int64) async {
        guard let conversation, let located = try? await reader.item(number), located.item.chat == conversation else {
            return say("there is no message \(number) in this chat", .error)
        }
        // In the middle of the screen, as far as there is something before it.
        var upper = area
        upper.height = area.height / 2
        let count = ChatView.count(area) / 2
        if let (chat, items) = try? await reader.chat(conversation, .before(ChatItemID(number), count)) {
            let before = ChatView.fitting(items.reversed(), chat, upper).last
            position = before?.id.number ?? number
        }
        await showTop()
    }
}
