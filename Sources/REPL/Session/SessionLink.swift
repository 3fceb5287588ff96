import AgentProtocol
import ChatProtocol
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

    /// The links in a text of a contact, in their order. SECURITY: only those that are shown as they are.
    static func links(in text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map { word in
            String(word.trimmingPunctuation)
        }.filter { word in
            ["https://", "http://", "simplex:/"].contains { word.hasPrefix($0) }
                && UntrustedText(word).singleLine == word
        }
    }

    /// The reason why a word that begins like a link is none to connect with.
    static func obstacle(of word: String) -> String {
        let isPage = (try? WebAddress(text: word)) != nil && !word.utf8.contains(UInt8(ascii: "#"))
        return isPage
            ? "a web page, not a SimpleX link; open the page in a browser"
            : "invalid link: incomplete, or not a SimpleX link"
    }

    /// Returns true for a word that begins like a link.
    static func isMeant(by word: String) -> Bool {
        if case .link? = Destination(word) { true } else { false }
    }
}

extension Substring {
    /// The text without the marks of a sentence around a link.
    fileprivate var trimmingPunctuation: Substring {
        var rest = self
        while let first = rest.first, "([<\"'".contains(first) { rest.removeFirst() }
        while let last = rest.last, ".,;:!?)]>\"'".contains(last) {
            // A parenthesis that the link itself has opened belongs to the link.
            if last == ")", rest.count(where: { $0 == "(" }) >= rest.count(where: { $0 == ")" }) { break }
            rest.removeLast()
        }
        return rest
    }
}
