import ChatCore
import Commands
import TerminalKit

/// The editor of the user.
extension Session {
    /// Has the person write in their own editor, and puts the text into the line.
    func writeInEditor() async {
        guard let editor = lineEditor else { return }
        let command = environment["VISUAL"] ?? environment["EDITOR"] ?? "vi"
        let text = editor.text
        editor.stop()
        life.isElsewhere = true
        let written = await ExternalEditor(command: command, environment: environment).write(text, on: store.loop)
        life.isElsewhere = false
        if case .success(let text) = written { editor.replace(text) }
        do { try editor.start() } catch { return leave() }
        redrawPrompt()
        if case .failure = written {
            say("the editor '\(UntrustedText(command).singleLine)' could not be used", .error)
        }
        life.leaveIfPostponed()
    }
}
