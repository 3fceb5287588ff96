import AgentProtocol
import ChatCore
import ChatProtocol
import CommandKit
import Commands
import Navigation
import TerminalKit

/// Lines for a contact who is not on the screen, and lines that may be meant for nobody.
extension Session {
    /// Carries out a line that names its contact: a name alone opens the chat, a text is sent.
    ///
    /// - Parameters:
    ///   - typed: The line, which comes back where nothing is done with it.
    ///   - needsText: Whether a name alone is a mistake.
    func take(_ line: AddressedLine, typed: String, needsText: Bool = false) async {
        if !needsText { print([StyledText("> \(typed.trimmed)", .muted).truncated(toWidth: area.width - 1)]) }
        // What is called so on the screen, such as a contact request, comes first.
        if conversation == nil, line.isName, !needsText, await choose(typed.trimmed) { return }
        guard state.profile != nil else {
            giveBack(typed)
            return say("open a profile first: home, or its number or name", .error)
        }
        let known: [(name: String, id: ChatReference)]
        do { known = try await addressees(line) } catch {
            giveBack(typed)
            return report(error)
        }
        let readings = line.readings(among: known.map(\.name))
        guard let first = readings.first else {
            return await takeUnknown(line, typed, known.map(\.name), isMessage: !needsText)
        }
        var reading: AddressedLine.Reading? = first
        if readings.count > 1 { reading = await choose(among: readings) }
        guard let reading, let chat = known.first(where: { $0.name == reading.name })?.id else {
            giveBack(typed)
            return say("nothing was sent", .muted)
        }
        guard !reading.text.isEmpty else {
            if needsText { return say("/msg NAME TEXT", .error) }
            if await go(to: ChatScreen(chat)) { await showTop() }
            return
        }
        if line.hasRows, conversation == nil, !needsText {
            let count = reading.text.split(separator: "\n", omittingEmptySubsequences: false).count
            let rows = count == 1 ? "this line" : "\(count) lines"
            guard await isToBeSent(typed, "Send \(rows) to \(Display.target(reading.name))?") else { return }
        }
        await send(reading.text, to: chat, called: reading.name, typed: typed)
    }

    /// The contacts that a line may name, and the notes.
    private func addressees(_ line: AddressedLine) async throws -> [(name: String, id: ChatReference)] {
        guard let profile = state.profile else { return [] }
        var known = try await reader.contacts(of: profile).map { (name: $0.name, id: ChatReference.direct($0.id)) }
        let id = ProfileID(profile)
        if line.likelyName == "notes", !known.contains(where: { $0.name == "notes" }) {
            try await store.execute(OpenNotes(id))
        }
        if let notes = try? await reader.execute(ShowNotes(id)).chat {
            known.append((name: notes.name, id: notes.reference))
        }
        return known
    }

    /// Asks which of several contacts a line is for; nil if for none of them.
    private func choose(among readings: [AddressedLine.Reading]) async -> AddressedLine.Reading? {
        print(area.text("The line may be for several contacts:"))
        for (number, reading) in zip(1..., readings) {
            let text = reading.text.isEmpty ? "" : ": " + UntrustedText(reading.text.onOneLine).singleLine
            print([
                (StyledText("\(number)  ", .muted) + StyledText(Display.target(reading.name), .name) + StyledText(text))
                    .truncated(toWidth: area.width - 1)
            ])
        }
        let typed = await answer(to: StyledText("1-\(readings.count), or Enter to send nothing: "))?.trimmed ?? ""
        let index = (Int(typed) ?? 0) &- 1
        if readings.indices.contains(index) { return readings[index] }
        if !typed.isEmpty { giveBack(typed) }
        return nil
    }

    /// A line for a contact that is not there. In a chat it may be a message that begins so.
    private func takeUnknown(
        _ line: AddressedLine, _ typed: String, _ names: [String], isMessage: Bool
    ) async {
        let name = Display.target(line.likelyName)
        say("there is no contact \(name)", .error)
        let near = Suggestion.closest(to: line.likelyName, among: names)
        if let near = near.first { say("did you mean \(Display.target(near))?", .muted) }
        if isMessage, conversation != nil {
            if await isToBeSent(typed, "Send the line to \(await conversationName) as it is?") { await send(typed) }
            return
        }
        // A name alone is typed again as quickly.
        if !line.isName || conversation != nil { giveBack(typed) }
    }

    /// Asks whether a line is to be sent. Otherwise it comes back, with what was typed as an answer and is none.
    private func isToBeSent(_ line: String, _ question: String) async -> Bool {
        let typed = await answer(to: StyledText(question + " [y/N] "))?.trimmed ?? ""
        if ["y", "yes"].contains(typed.lowercased()) { return true }
        say("nothing was sent", .muted)
        if !["", "n", "no"].contains(typed.lowercased()) { giveBack(typed) }
        giveBack(line)
        return false
    }

    /// Sends a text to a chat, and says so unless the chat is on the screen.
    private func send(_ text: String, to chat: ChatReference, called name: String, typed: String) async {
        guard chat != conversation else { return await send(text, typed: typed) }
        do {
            let message = ComposedMessage(MessageContent(text))
            let items = try await store.execute(SendMessages(.reference(chat), [message])).items
            lineIsDone()
            for located in items {
                let words =
                    located.chat.isNotes
                    ? "message \(located.item.id.number) kept in" : "message \(located.item.id.number) sent to"
                notify("\(words) \(Display.target(name))")
            }
            outbox.note(items)
        } catch {
            report(error)
            giveBack(typed)
        }
    }

    private var conversationName: String {
        get async {
            guard let conversation, let name = await reader.name(of: conversation.subject.subject) else { return "it" }
            return Display.target(name)
        }
    }

    // MARK: - Words that are meant for the session

    /// What ends or leaves other programs, and what it is called here.
    private static let reflexes: [String: SessionWord] = [
        "quit": .quit, "exit": .quit, "q": .quit, ":q": .quit, "back": .back, "help": .help, "?": .help,
    ]

    /// Whether a line is an answer to a question that was not asked, because it was typed already.
    func isLateAnswer(_ text: String) -> Bool {
        defer { mayBeAnswer = false }
        return mayBeAnswer && ["y", "yes", "n", "no"].contains(text.lowercased())
    }

    /// Whether a line is nothing but a word that is hardly meant for a contact.
    static func isReflex(_ text: String) -> Bool { reflexes[text] != nil }

    /// Asks before such a word goes to the contact.
    func take(reflex line: String) async {
        guard let word = Session.reflexes[line.trimmed] else { return await send(line) }
        say("a line without a slash is a message; /\(word.rawValue) \(word.purpose)", .muted)
        // Who has typed on already has seen no question, and gives no answer to it.
        guard typedLines.count < 2 else {
            mayBeAnswer = true
            return say("\(UntrustedText(line.trimmed).quoted) was not sent", .warning)
        }
        let question = "Send \(UntrustedText(line.trimmed).quoted) to \(await conversationName)? [y/N] "
        let typed = await answer(to: StyledText(question))?.trimmed ?? ""
        switch typed.lowercased() {
        case "y", "yes": return await send(line)
        case "", "n", "no": say("nothing was sent", .muted)
        default:
            say("nothing was sent", .muted)
            // It was no answer: a command is carried out, and what may be a message can still be changed.
            if typed.first == "/", !typed.hasPrefix("//") { return await take(line: typed) }
            giveBack(typed)
        }
    }

    /// Puts a line that was not carried out back, for another attempt.
    ///
    /// SECURITY: never beside something else. What was typed since then may be for another contact, and a command that is still to
    /// be carried out may lead to one: the line is an arrow up away then.
    func giveBack(_ line: String) {
        lineIsDone()
        guard let editor else { return }
        if editor.text.isEmpty, typedLines.isEmpty { return editor.replace(line) }
        editor.remember(line)
        say("the arrow up brings back what was not sent", .warning)
    }
}
