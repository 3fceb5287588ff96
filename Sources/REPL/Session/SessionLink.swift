import AgentProtocol
import Navigation
import TerminalKit

/// A typed line that is nothing but a link of somebody to connect with.
struct SessionLink: Hashable, Sendable {
    let text: String

    /// Nil for anything else, also for a text with a link in it.
    init?(_ text: String) {
        guard case .link(let link)? = Destination(text), (try? ConnectionLink(text: link)) != nil else { return nil }
        self.text = link
    }
}
