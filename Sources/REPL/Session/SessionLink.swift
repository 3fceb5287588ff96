import AgentProtocol
import TerminalKit

/// A typed line that is nothing but a link of somebody to connect with.
struct SessionLink: Hashable, Sendable {
    let text: String

    /// Nil for anything else, also for a text with a link in it.
    init?(_ text: String) {
        guard text.hasPrefix("simplex:/") || text.hasPrefix("https://"), !text.contains(" "), !text.contains("\n"),
            (try? ConnectionLink(text: text)) != nil
        else { return nil }
        self.text = text
    }
}
