import TerminalKit

/// The prompt: the profile, the screen, and the number of unread messages elsewhere. The title of the window shows them too.
final class PromptLine {
    private let display: Display
    private let window: WindowNotices
    /// The profile and the address of the screen.
    private(set) var place = ""
    /// Unread messages of all chats that are not on the screen.
    private(set) var unread = 0
    /// Those of groups that mention the user.
    private(set) var mentions = 0

    init(display: Display, window: WindowNotices) {
        (self.display, self.window) = (display, window)
    }

    func show(_ place: String, unread: Int, mentions: Int = 0) {
        (self.place, self.unread, self.mentions) = (place, unread, mentions)
        draw()
    }

    /// Counts new messages of other chats.
    func add(unread count: Int, mentions: Int = 0) {
        guard count > 0 else { return }
        unread += count
        self.mentions += mentions
        draw()
    }

    func draw() {
        let counter = unread > 0 ? mentions > 0 ? " (\(unread), \(mentions) @)" : " (\(unread))" : ""
        let room = max(display.area.width / 2 - counter.count - 3, 4)
        display.terminal?.prompt =
            StyledText(UntrustedText(place).singleLine, .heading).truncated(toWidth: room)
            + StyledText(counter, .unread) + StyledText(" > ")
        showTitle()
    }

    func showTitle() {
        window.showTitle(place, unread: unread)
    }
}
