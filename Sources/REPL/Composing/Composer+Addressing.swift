import AgentProtocol
import ChatCore
import ChatProtocol
import CommandKit
import Commands
import Navigation
import TerminalKit

/// Lines for a contact who is not on the screen, and words that are hardly messages.
extension Composer {
    /// Carries out a line that names its contact: a name alone opens the chat, a text is sent.
    ///
    /// - Parameters:
    ///   - typed: The line, which comes back if it is not carried out.
    ///   - needsText: True if a name alone is a mistake.
    func take(_ line: AddressedLine, typed: String, needsText: Bool = false) async {
        if !needsText, !mayBeMessage(line) {
            display.print(row: StyledText("> \(typed.trimmed)", .muted))
        }
        // An entry of the screen with this name, such as a contact request, comes first.
        if conversation == nil, line.isName, !needsText, await router.choose(typed.trimmed) { return }
        guard router.profile != nil else {
            drafts.giveBack(typed)
            return display.say("open a profile first: home, or its number or name", .error)
        }
        let known: [(name: String, id: ChatReference)]
        do { known = try await addressees(line) } catch {
            drafts.giveBack(typed)
            return display.report(error)
        }
        let readings = line.readings(among: known.map(\.name))
        if !needsText, line.mark == "@", !line.isName || readings.isEmpty, case .group(let group)? = conversation,
            let members = await reader.failures.value({ try await reader.members(of: group) }),
            !readings.isEmpty || !line.readings(among: members.filter(\.canBeMentioned).map(\.name)).isEmpty
        {
            return await take(line, inGroup: group, readings, known, typed)
        }
        guard let first = readings.first else {
            return await takeUnknown(line, typed, known.map(\.name), isMessage: !needsText)
        }
        var reading: AddressedLine.Reading? = first
        if readings.count > 1 {
            reading = await choose(
                "Several contacts match the line:", among: readings.map { ($0, Display.target($0.name), $0.text) })
        }
        guard let reading, let chat = known.first(where: { $0.name == reading.name })?.id else {
            drafts.giveBack(typed)
            return display.say("nothing was sent", .muted)
        }
        guard !reading.text.isEmpty else {
            if needsText { return display.say("/msg NAME TEXT", .error) }
            if await router.go(to: ChatScreen(chat)) { await router.showTop() }
            return
        }
        if line.hasRows, conversation == nil, !needsText {
            let count = reading.text.split(separator: "\n", omittingEmptySubsequences: false).count
            let rows = count == 1 ? "this line" : "\(count) lines"
            let target = Display.target(reading.name, chat)
            guard await isToBeSent(typed, "Send \(rows) to \(target)?") else { return }
        }
        await send(reading.text, to: chat, called: reading.name, typed: typed)
    }

    /// True if a line that names somebody may be a message to the chat on the screen, which shows it then.
    private func mayBeMessage(_ line: AddressedLine) -> Bool {
        switch conversation {
        case nil: false
        case .group: true
        case .direct, .notes: line.mark == "+"
        }
    }

    /// Takes a line in a group that begins with the name of a member or a contact: a message to the group with a mention. Asks if
    /// it may be for a contact.
    private func take(
        _ line: AddressedLine, inGroup group: GroupID, _ readings: [AddressedLine.Reading],
        _ known: [(name: String, id: ChatReference)], _ typed: String
    ) async {
        guard !readings.isEmpty else { return await send(typed) }
        let contacts: [(AddressedLine.Reading?, String, String)] = readings.map {
            ($0, Display.target($0.name), $0.text)
        }
        let chosen = await choose(
            "The line can be for:", among: [(nil, await conversationName, typed.trimmed)] + contacts)
        switch chosen {
        case nil:
            drafts.giveBack(typed)
            display.say("nothing was sent", .muted)
        case .some(nil): await send(typed)
        case .some(let reading?):
            guard let chat = known.first(where: { $0.name == reading.name })?.id else { return }
            await send(reading.text, to: chat, called: reading.name, typed: typed)
        }
    }

    /// The contacts that a line may name, with the notes.
    private func addressees(_ line: AddressedLine) async throws -> [(name: String, id: ChatReference)] {
        guard let profile = router.profile else { return [] }
        let groups = line.mark == "@" ? [] : try await reader.groups(of: profile)
        var known = groups.map { (name: $0.name, id: ChatReference.group($0.id)) }
        if line.mark == "+" { return known }
        known += try await reader.contacts(of: profile).map { (name: $0.name, id: ChatReference.direct($0.id)) }
        let id = ProfileID(profile)
        if line.likelyName == "notes", !known.contains(where: { $0.name == "notes" }) {
            _ = try await core.execute(OpenNotes(id))
        }
        if let notes = await reader.failures.value({ try await reader.execute(ShowNotes(id)).chat }) {
            known.append((name: notes.name, id: notes.reference))
        }
        return known
    }

    /// Asks for which of several chats a line is. Nil for none of them.
    private func choose<Choice>(
        _ title: String, among choices: [(choice: Choice, target: String, text: String)]
    ) async -> Choice? {
        display.print(display.area.text(title))
        for (number, choice) in zip(1..., choices) {
            let text = choice.text.isEmpty ? "" : ": " + UntrustedText(choice.text.onOneLine).singleLine
            display.print(
                row: StyledText("\(number)  ", .muted) + StyledText(choice.target, .name) + StyledText(text))
        }
        let question = StyledText("1-\(choices.count), or Enter to send nothing: ")
        let typed = await display.answer(to: question)?.trimmed ?? ""
        let index = (Int(typed) ?? 0) &- 1
        if choices.indices.contains(index) { return choices[index].choice }
        if !typed.isEmpty { drafts.giveBack(typed) }
        return nil
    }

    /// Takes a line for an unknown contact. In a chat it may be a message.
    private func takeUnknown(
        _ line: AddressedLine, _ typed: String, _ names: [String], isMessage: Bool
    ) async {
        // A plus sign begins many a message.
        if line.mark == "+", isMessage, conversation != nil { return await send(typed) }
        let mark = line.mark == "+" ? "+" : "@"
        let name = UntrustedText(mark + line.likelyName).quoted
        display.say("unknown \(line.mark == "+" ? "group" : "contact") \(name)", .error)
        let near = Suggestion.closest(to: line.likelyName, among: names)
        if let near = near.first { display.say("did you mean \(UntrustedText(mark + near).quoted)?", .muted) }
        if isMessage, conversation != nil {
            if await isToBeSent(typed, "Send the line to \(await conversationName) as it is?") { await send(typed) }
            return
        }
        // A name alone is quickly typed again.
        if !line.isName || conversation != nil { drafts.giveBack(typed) }
    }

    /// Asks whether to send a line. Otherwise it comes back, with an answer that is neither yes nor no.
    private func isToBeSent(_ line: String, _ question: String) async -> Bool {
        let typed = await display.answer(to: StyledText(question + " [y/N] "))?.trimmed ?? ""
        if ["y", "yes"].contains(typed.lowercased()) { return true }
        display.say("nothing was sent", .muted)
        if !["", "n", "no"].contains(typed.lowercased()) { drafts.giveBack(typed) }
        drafts.giveBack(line)
        return false
    }

    /// Sends a text to a chat, and says so if the chat is not on the screen.
    private func send(_ text: String, to chat: ChatReference, called name: String, typed: String) async {
        guard chat != conversation else { return await send(text, typed: typed) }
        do {
            let message = try await composed(text, in: chat)
            let items = try await core.execute(SendMessages(.reference(chat), [message])).items
            drafts.lineIsDone()
            for located in items {
                let words =
                    located.chat.isNotes
                    ? "message \(located.item.id.number) kept in" : "message \(located.item.id.number) sent to"
                display.notify("\(words) \(Display.target(name, chat))")
            }
            outbox.note(items)
        } catch {
            display.report(error)
            drafts.giveBack(typed)
        }
    }

    private var conversationName: String {
        get async {
            guard let conversation, let name = await reader.name(of: conversation.subject.subject) else { return "it" }
            return Display.target(name, conversation)
        }
    }

    // MARK: - Words that are hardly messages

    /// Commands of other programs, and their names here.
    private static let reflexes: [String: SessionWord] = [
        "quit": .quit, "exit": .quit, "q": .quit, ":q": .quit, "back": .back, "help": .help, "?": .help,
    ]

    /// Returns true for the answer to a question that was not asked because the answer was typed before.
    func isLateAnswer(_ text: String) -> Bool {
        defer { drafts.mayBeAnswer = false }
        return drafts.mayBeAnswer && ["y", "yes", "n", "no"].contains(text.lowercased())
    }

    /// Returns true for a line that is nothing but such a word.
    static func isReflex(_ text: String) -> Bool { reflexes[text] != nil }

    /// Returns true for the answer to a call that is shown above the prompt.
    func isAnswerToCall(_ text: String) -> Bool {
        !calls.calls.isEmpty && Composer.answersToCalls.contains(text.lowercased())
    }

    private static let answersToCalls: Set<String> = ["decline", "reject", "accept", "answer"]

    /// Asks before such a word goes to the contact.
    func take(reflex line: String) async {
        if isAnswerToCall(line.trimmed) {
            let words = "a line without a slash is a message; /decline declines the call, and a session has no audio"
            display.say(words, .muted)
        } else if let word = Composer.reflexes[line.trimmed] {
            display.say("a line without a slash is a message; /\(word.rawValue) \(word.purpose)", .muted)
        } else {
            return await send(line)
        }
        // A line that is typed already answers no question.
        guard drafts.lines.count < 2 else {
            drafts.mayBeAnswer = true
            return display.say("\(UntrustedText(line.trimmed).quoted) was not sent", .warning)
        }
        let question = "Send \(UntrustedText(line.trimmed).quoted) to \(await conversationName)? [y/N] "
        let typed = await display.answer(to: StyledText(question))?.trimmed ?? ""
        switch typed.lowercased() {
        case "y", "yes": return await send(line)
        case "", "n", "no": display.say("nothing was sent", .muted)
        default:
            display.say("nothing was sent", .muted)
            // It was no answer: a command is carried out, and a message can still be changed.
            if typed.first == "/", !typed.hasPrefix("//") { return await take(line: typed) }
            drafts.giveBack(typed)
        }
    }
}
