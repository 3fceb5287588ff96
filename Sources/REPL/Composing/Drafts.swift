import ChatCore
import Commands
import Navigation
import TerminalKit

/// The texts of a session that are not sent: the line, lines that are typed ahead, and the drafts of conversations in the store.
final class Drafts {
    private let memory: SessionMemory
    private let display: Display

    /// Lines that are typed and not carried out.
    private(set) var lines: [String] = []
    /// Texts that were taken from the line for conversations that are going to be left.
    var leftTexts: [String] = []
    /// True if the next line may answer a question that was not asked because the line was typed before.
    var mayBeAnswer = false
    /// The line of an earlier session of this process, and its cursor in bytes of UTF-8, until a screen is shown.
    var resumedLine: (text: String, cursor: Int)?
    /// The text of the line that is stored.
    private var stored = ""
    /// The conversation whose draft was restored last.
    private var owner: ChatReference?
    /// True while the first of ``lines`` is carried out.
    private var isCarryingOut = false

    init(memory: SessionMemory, display: Display) {
        (self.memory, self.display) = (memory, display)
    }

    // MARK: - Lines

    func add(_ line: String) { lines.append(line) }

    /// Begins with the first line. A command is no draft of the screen to which it leads.
    func beginLine(in conversation: ChatReference?) {
        isCarryingOut = true
        if lines.first.map({ isMessage($0, in: conversation) }) != true { lineIsDone() }
    }

    /// Removes the line that is being carried out.
    func lineIsDone() {
        guard isCarryingOut, !lines.isEmpty else { return }
        isCarryingOut = false
        lines.removeFirst()
    }

    /// Returns true if a line is for a contact. On a screen that is no chat it must name the contact.
    private func isMessage(_ line: String, in conversation: ChatReference?) -> Bool {
        let text = line.trimmed
        if conversation == nil {
            let command = text.first == "/" ? text.dropFirst() : text[...]
            return AddressedLine(line).map { !$0.isName } ?? command.hasPrefix(SessionWord.msg.rawValue + " ")
        }
        let hasText = text.contains { $0 == " " || $0 == "\n" }
        return text.first != "/" || text.hasPrefix("//")
            || (hasText && SessionWord.maySendBlock(String(text.dropFirst())))
    }

    /// Puts a line that was not carried out back.
    ///
    /// SECURITY: never beside other text. What was typed since then may be for another contact, and a command that is still to
    /// be carried out may lead to one: the line comes back with the arrow up then.
    func giveBack(_ line: String) {
        lineIsDone()
        guard let terminal = display.terminal else { return }
        if terminal.text.isEmpty, lines.isEmpty { return terminal.replace(line) }
        terminal.remember(line)
        display.say("the up arrow restores the unsent text", .warning)
    }

    // MARK: - Drafts

    /// The text of the line, behind the messages that wait for earlier lines.
    func unsentText(in conversation: ChatReference?) -> String {
        let messages = lines.filter { isMessage($0, in: conversation) }
        return (messages + leftTexts + [display.terminal?.text ?? ""]).filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// Stores the unsent text of a conversation.
    ///
    /// - Parameter text: ``unsentText(in:)`` where it may be the last time. Nothing where a command leads elsewhere: the text of the
    ///   line was typed behind the command and goes along.
    func keep(_ text: String, of conversation: ChatReference?) async {
        guard let conversation, let terminal = display.terminal, !terminal.isAsking, text != stored else { return }
        stored = text
        await memory.store(draft: stored, of: conversation)
    }

    /// Stores the line from time to time, unless the line does not belong to the conversation yet.
    func keepLine(of conversation: ChatReference?) async {
        guard conversation == owner else { return }
        await keep(unsentText(in: conversation), of: conversation)
    }

    /// Takes the line for the conversation on the screen, which is going to be left.
    func leaveText() {
        leftTexts.append(display.terminal?.text ?? "")
        display.terminal?.clear()
    }

    /// The conversation was left with the first of ``leftTexts``: the stored text is that of another conversation from now on.
    func didLeave() {
        leftTexts.removeFirst()
        stored = ""
    }

    /// Forgets the stored text of a conversation that is gone.
    func forget() {
        stored = ""
    }

    /// Puts the draft of a conversation into the line, unless something is typed already.
    func restore(in conversation: ChatReference?) async {
        guard let terminal = display.terminal else { return }
        // Where it was restored before, the line counts.
        if conversation == nil || conversation != owner {
            var kept = ""
            if let conversation { kept = await memory.draft(of: conversation) }
            if stored == terminal.text || terminal.text.isEmpty {
                terminal.replace(kept)
            } else if !kept.isEmpty {
                terminal.replace(kept + terminal.text)
            }
            stored = kept
        }
        owner = conversation
        if let resumedLine, !(resumedLine.text + terminal.text).isEmpty {
            // Text that was typed while the store was opened comes behind it.
            let typed = terminal.text == stored ? "" : terminal.text
            terminal.replace(resumedLine.text + typed, cursor: resumedLine.cursor + typed.utf8.count)
        }
        resumedLine = nil
    }
}

extension String {
    /// The text without spaces and line breaks around it.
    var trimmed: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\n" || $0 == "\t" }
        guard let last = lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(self[...last].drop(while: isSpace))
    }
}
