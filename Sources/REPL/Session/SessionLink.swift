import AgentProtocol
import Navigation
import TerminalKit

/// A typed line that is nothing but a link to connect with.
struct SessionLink: Hashable, Sendable {
    let text: String

    /// Nil for anything else, also for a text with a link in it. Line breaks, which mail programs add, are no part of a link.
    init?(_ text: String) {
        let whole = String(text.split(separator: "\n").map(String.init(_:)).map(\.trimmed).joined())
        guard case .link(let link)? = Destination(whole), (try? ConnectionLink(text: link)) != nil else { return nil }
        self.text = link
    }

    /// Returns true for a word that begins like a link.
    static func isMeant(by word: String) -> Bool {
        if case .link? = Destination(word) { true } else { false }
    }
}
