import Commands
import Navigation
import TerminalKit

/// What is on the screen besides screens: lines, and the prompt.
extension Session {
    var area: DrawingArea {
        DrawingArea(
            width: editor?.canvas.columns ?? 80, height: editor?.canvas.height ?? 24, profile: state.profile)
    }

    func print(_ lines: [StyledText]) {
        guard !isHidden else { return }
        editor?.print(lines)
    }

    /// Says something in rows that fit.
    func say(_ text: String, _ style: Style = .plain) {
        print(area.text(UntrustedText(text).singleLine, style))
    }

    /// What the prompt says: profile, screen, and what is unread elsewhere.
    func redrawPrompt() {
        let unread = unreadElsewhere > 0 ? " (\(unreadElsewhere))" : ""
        let room = max(area.width / 2 - unread.count - 3, 4)
        editor?.prompt =
            StyledText(UntrustedText(promptWords).singleLine, .heading).truncated(toWidth: room)
            + StyledText(unread, .unread) + StyledText(" > ")
        showTitle()
    }
}
