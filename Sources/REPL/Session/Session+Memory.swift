import ChatCore
import Navigation

/// What the next session finds again: the place, drafts, commands.
extension Session {
    /// Writes down where the session is.
    func rememberPlace() async {
        await keepDraft()
        guard hasPlace else { return }
        let position = isAtEnd ? nil : shownItems?.lowerBound
        await memory.store(place: LastPlace(state.path, position: position).encoded)
    }

    /// Keeps what is typed on a conversation and not sent.
    func keepDraft() async {
        guard let conversation, let editor, !editor.isAsking else { return }
        guard editor.text != draft else { return }
        draft = editor.text
        await memory.store(draft: editor.text, of: conversation)
    }

    /// Brings a draft back, unless something is typed already.
    func restoreDraft() async {
        guard let editor else { return }
        var kept = ""
        if let conversation { kept = await memory.draft(of: conversation) }
        if draft == editor.text || editor.text.isEmpty { editor.replace(kept) }
        draft = kept
        if let resumption, !(resumption.text + editor.text).isEmpty {
            // What is typed while the store is being opened comes behind it.
            let typed = editor.text == kept ? "" : editor.text
            editor.replace(resumption.text + typed, cursor: resumption.cursor + typed.utf8.count)
        }
        resumption = nil
    }
}
