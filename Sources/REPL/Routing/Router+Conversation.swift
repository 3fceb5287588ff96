import AgentProtocol
import ChatCore
import ChatProtocol
import Commands
import Navigation
import TerminalKit

/// The messages of the conversation on the screen.
extension Router {
    /// Shows new messages below the others.
    func show(new items: [LocatedItem]) {
        for located in items {
            display.print(messages.lines(located.item, from: located.chat.name, isFresh: true))
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

    /// Shows the newest messages.
    func showEnd() async {
        position = nil
        await showTop()
    }

    /// Shows a message again after a change.
    func show(changed located: LocatedItem) {
        display.print(messages.lines(located.item, from: located.chat.name))
    }

    // MARK: - Earlier messages

    func pageUp() async {
        guard !display.isHidden, let conversation else { return }
        do { try await showMore(conversation) } catch { display.report(error) }
    }

    func pageDown() async {
        guard !display.isHidden, conversation != nil, !isAtEnd else { return }
        await showEnd()
    }

    /// Shows earlier messages.
    func showMore(_ conversation: ChatReference) async throws {
        guard let first = shownItems?.lowerBound else { return display.say("no earlier messages", .muted) }
        let drawing = try await ChatView(chat: conversation).earlier(than: first, reader, area)
        guard drawing.shownItems != nil else { return display.say("no earlier messages", .muted) }
        await show(drawing)
        isAtEnd = false
        await rememberPlace()
    }

    /// Shows messages with these words.
    func search(_ words: String, _ conversation: ChatReference) async throws {
        guard !words.isEmpty else { return display.say("/search WORDS", .error) }
        let chat = try await reader.chat(conversation).chat
        let room = max(area.height - 4, 5)
        let items = try await reader.search(words, in: chat, count: room + 1)
        guard !items.isEmpty else {
            return display.say("No messages with \(UntrustedText(words).quoted) in this chat.", .muted)
        }
        display.print([area.rule("found")])
        if items.count > room {
            let mark = chat.group == nil ? "@" : "+"
            let all = "/message search \(CommandWords.quoted(words)) --in \(CommandWords.quoted(mark + chat.name))"
            display.say("…  \(all) shows all", .muted)
        }
        var lines = MessageLines(area)
        for item in items.suffix(room) { display.print(lines.lines(item, from: chat.name)) }
        display.say("/goto NUMBER shows a message in its context", .muted)
    }

    /// Shows a message and those around it.
    func goTo(message number: Int64) async {
        let located = await reader.failures.value { try await reader.item(number) }
        guard let conversation, located?.item.chat == conversation else {
            return display.say("there is no message \(number) in this chat", .error)
        }
        // In the middle of the screen, if there are enough messages before it.
        var upper = area
        upper.height = area.height / 2
        let count = ChatView.count(area) / 2
        let before = await reader.failures.value {
            try await reader.chat(conversation, .before(ChatItemID(number), count))
        }
        if let (chat, items) = before {
            position = ChatView.fitting(items.reversed(), chat, upper).last?.id.number ?? number
        }
        await showTop()
    }
}
