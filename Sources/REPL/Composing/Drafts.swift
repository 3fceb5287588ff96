import ChatCore
import Navigation

/// What the next session finds again: the place, drafts, commands.
extension Session {
    /// Writes down where the session is.
    func rememberPlace() async {
        await keepDraft(unsentText)
        guard hasPlace else { return }
        let position = isAtEnd ? nil : shownItems?.lowerBound
        await memory.store(place: LastPlace(state.path, position: position).encoded)
    }

    /// Keeps what is typed on a conversation and not sent. Where it may be the last time that is ``unsentText``. Where a command
    /// leads elsewhere there is nothing: what stands in the line was typed behind the command, and goes along.
    func keepDraft(_ text: String) async {
        guard let conversation, let editor, !editor.isAsking, text != draft else { return }
        draft = text
        await memory.store(draft: draft, of: conversation)
    }

    /// What stands in the line, behind the messages that wait for what was typed before them.
    var unsentText: String {
        let lines = typedLines.filter(isMessage)
        return (lines + leftTexts + [editor?.text ?? ""]).filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// Whether a line is for a contact. Where a screen is no chat only those are that name one.
    private func isMessage(_ line: String) -> Bool {
        let text = line.trimmed
        if conversation == nil {
            let command = text.first == "/" ? text.dropFirst() : text[...]
            return AddressedLine(line).map { !$0.isName } ?? command.hasPrefix(SessionWord.msg.rawValue + " ")
        }
        let hasText = text.contains { $0 == " " || $0 == "\n" }
        return text.first != "/" || text.hasPrefix("//")
            || (hasText && SessionWord.maySendBlock(String(text.dropFirst())))
    }

    /// Begins with the first line. Where it is a command it is no draft of the screen to which it leads.
    func beginLine() {
        isCarryingOut = true
        if typedLines.first.map(isMessage) != true { lineIsDone() }
    }

    /// The line that is being carried out is not needed any more.
    func lineIsDone() {
        guard isCarryingOut, !typedLines.isEmpty else { return }
        isCarryingOut = false
        typedLines.removeFirst()
    }

    /// Brings a draft back, unless something is typed already.
    func restoreDraft() async {
        guard let editor else { return }
        // Where it was brought back already, the line is what counts.
        if conversation == nil || conversation != draftOwner {
            var kept = ""
            if let conversation { kept = await memory.draft(of: conversation) }
            if draft == editor.text || editor.text.isEmpty {
                editor.replace(kept)
            } else if !kept.isEmpty {
                editor.replace(kept + editor.text)
            }
            draft = kept
        }
        draftOwner = conversation
        if let resumption, !(resumption.text + editor.text).isEmpty {
            // What is typed while the store is being opened comes behind it.
            let typed = editor.text == draft ? "" : editor.text
            editor.replace(resumption.text + typed, cursor: resumption.cursor + typed.utf8.count)
        }
        resumption = nil
    }
}
