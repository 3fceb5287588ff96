import AgentProtocol
import Navigation
import TerminalKit

/// A typed line that is nothing but a link of somebody to connect with.
struct SessionLink: Hashable, Sendable {
    let text: String

    /// Nil for anything else, also for a text with a link in it. Line breaks are no part of a link: programs for mail put them
    /// there.
    init?(_ text: String) {
        let whole = String(text.split(separator: "\n").map(String.init(_:)).map(\.trimmed).joined())
        guard case .link(let link)? = Destination(whole), (try? ConnectionLink(text: link)) != nil else { return nil }
        self.text = link
    }

    /// Whether a word begins as links do.
    static func isMeant(by word: String) -> Bool {
        if case .link? = Destination(word) { true } else { false }
    }
}
