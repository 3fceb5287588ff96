import AgentProtocol
import ChatCore
import ChatProtocol
import Commands
import Navigation
import TerminalKit

/// Messages of the conversation on the screen: sending, changing and deleting them.
extension Composer {
    /// Sends a text, and shows it.
    ///
    /// - Parameter typed: The line that comes back if that fails; nil for the text.
    func send(_ text: String, answering quoted: ChatItemID? = nil, typed: String? = nil) async {
        guard let conversation else { return }
        do {
            let message = try await composed(text, answering: quoted, in: conversation)
            let target = try await reader.chat(conversation).chat.sendingTarget
            let items = try await core.execute(SendMessages(target, [message])).items
            // Until here it is a draft.
            drafts.lineIsDone()
            await drafts.keep(drafts.unsentText(in: conversation), of: conversation)
            if !router.isAtEnd { await router.showEnd() } else { router.show(new: items) }
            outbox.note(items)
        } catch {
            display.report(error)
            drafts.giveBack(typed ?? text)
        }
    }

    /// Sends a text to the support chat on the screen.
    func say(toModerators text: String, typed: String) async {
        guard let chat = router.supportChat else {
            return display.say("'say' writes to the moderators on the screen of a support chat", .error)
        }
        guard !text.isEmpty else { return display.say("say TEXT", .error) }
        do {
            outbox.note(try await core.execute(SendMessages(chat, [ComposedMessage(MessageContent(text))])).items)
            await router.showTop()
        } catch {
            display.report(error)
            drafts.giveBack(typed)
        }
    }

    /// A message with the members of the group that its text mentions.
    func composed(
        _ text: String, answering quoted: ChatItemID? = nil, in chat: ChatReference
    ) async throws -> ComposedMessage {
        guard case .group(let id) = chat, text.contains("@") else {
            return ComposedMessage(MessageContent(text), answering: quoted)
        }
        let names = MentionedNames(in: text, of: try await reader.members(of: id), own: "")
        return ComposedMessage(MessageContent(names.text), answering: quoted, mentions: names.members)
    }

    /// Carries out a command about a message.
    func performOnMessage(_ word: SessionWord, _ line: CommandWords, _ rest: String) async {
        guard let conversation else { return }
        if word == .edit, line.words.count == 1 { return await controls.writeInEditor() }
        guard let number = line.messageNumber else { return display.say("/\(word.rawValue) \(word.arguments)", .error) }
        let text = CommandWords.rest(of: rest, after: 1)
        do { try await change(word, ChatItemID(number), text, conversation) } catch { display.report(error) }
    }

    private func change(
        _ word: SessionWord, _ id: ChatItemID, _ text: String, _ conversation: ChatReference
    ) async throws {
        let chat = ChatTarget.reference(conversation)
        switch word {
        // The whole line comes back if it fails: the text alone would be no answer.
        case .reply where !text.isEmpty: await send(text, answering: id, typed: "/reply \(id.number) \(text)")
        case .edit where !text.isEmpty:
            let content = try await reader.item(id.number).item.content(saying: text)
            let edited = try await core.execute(EditItem(chat, id, content))
            if edited.isChanged { router.show(changed: edited.item) } else { display.say("nothing changed", .muted) }
        case .react where !text.isEmpty: try await react(text, id, chat)
        case .forward where !text.isEmpty:
            guard let target = await router.chat(named: CommandWords(text).texts.joined(separator: " ")) else {
                return display.say("unknown contact or group \(UntrustedText(text).quoted)", .error)
            }
            let command = ForwardMessages(to: .reference(target), from: chat, [id])
            let items = try await core.execute(command).items
            if target == conversation { router.show(new: items) }
            display.say("forwarded", .success)
        case .delete: try await delete(id, conversation, chat)
        case .moderate: try await moderate(id, conversation, chat)
        default: display.say("/\(word.rawValue) \(word.arguments)", .error)
        }
    }

    private func react(_ text: String, _ id: ChatItemID, _ chat: ChatTarget) async throws {
        guard let reaction = EmojiNames.reaction(text.trimmed) else {
            return display.say("a reaction is one of \(EmojiNames.list)", .error)
        }
        let located = try await reader.item(id.number)
        let isGiven = located.item.reactions.contains { $0.direction == .sent && $0.reaction == reaction }
        router.show(changed: try await core.execute(React(chat, id, reaction, isAdded: !isGiven)).item)
    }

    /// Deletes a message of a member for all members.
    private func moderate(_ id: ChatItemID, _ conversation: ChatReference, _ chat: ChatTarget) async throws {
        let located = try await reader.item(id.number)
        guard located.item.chat == conversation else { throw ChatError.itemNotFound(id) }
        guard located.chat.group != nil else { return display.say("only messages of groups are moderated", .error) }
        guard await display.confirm(StyledText("Delete message \(id.number) for all members?")) else {
            return display.say("nothing was deleted", .muted)
        }
        _ = try await core.execute(ModerateItems(chat, [id]))
        display.say("deleted \(id.number) for all members", .success)
    }

    /// Deletes an own message for both sides, or a message of the contact here.
    private func delete(_ id: ChatItemID, _ conversation: ChatReference, _ chat: ChatTarget) async throws {
        let located = try await reader.item(id.number)
        guard located.item.chat == conversation else { throw ChatError.itemNotFound(id) }
        let isDeleted = located.item.deletedAt != nil
        let isOwn = located.item.direction == .sent && !located.chat.isNotes && !isDeleted
        let others = located.chat.group == nil ? "both" : "all members"
        let question = isOwn ? "Delete message \(id.number) for \(others)?" : "Delete message \(id.number) here?"
        guard await display.confirm(StyledText(question)) else { return display.say("nothing was deleted", .muted) }
        do { _ = try await core.execute(DeleteItems(chat, [id], isOwn ? .broadcast : .internal)) } catch {
            guard isOwn, !StoreFailures.isFailure(error) else { throw error }
            let question = "The message cannot be deleted for \(others). Delete the message here only?"
            guard await display.confirm(StyledText(question)) else { return }
            // It would go all the same.
            guard !located.item.status.isUnsent else { throw ChatError.notChangeable(id, .queued, .delete) }
            _ = try await core.execute(DeleteItems(chat, [id], .internal))
        }
        display.say("deleted \(id.number)", .success)
    }
}
