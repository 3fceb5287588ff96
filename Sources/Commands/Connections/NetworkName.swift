import TerminalKit

/// A name of the SimpleX network, which relays resolve to a link: `#example`, `@alice.simplex`, `simplex:/name#example`.
///
/// Source: SimpleX names, 7.0. A bare word is a name only with one of the two top labels of the network.
struct NetworkName: Equatable {
    enum Kind: Equatable {
        case channel, contact
    }

    let kind: Kind
    /// The domain, in lower case.
    let domain: String

    private static let scheme = "simplex:/name"
    private static let mostLabelBytes = 63
    private static let mostBytes = 253
    private static let topLabels = ["simplex", "testing"]

    /// Reads a name; nil for another text.
    init?(_ text: String) {
        let hasScheme = text.lowercased().hasPrefix(NetworkName.scheme)
        var rest = hasScheme ? text.dropFirst(NetworkName.scheme.count) : text[...]
        let sign = rest.first.flatMap { $0 == "#" || $0 == "@" ? $0 : nil }
        if sign != nil { rest = rest.dropFirst() }
        let labels = rest.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        guard rest.utf8.count <= NetworkName.mostBytes, labels.allSatisfy(NetworkName.isLabel) else { return nil }
        switch sign {
        case "@" where labels.count > 1: kind = .contact
        case "#": kind = .channel
        case nil where hasScheme: kind = .channel
        case nil where labels.count > 1 && NetworkName.topLabels.contains(labels.last.map(String.init) ?? ""):
            kind = .channel
        default: return nil
        }
        domain = rest.lowercased()
    }

    /// Returns true for letters and digits of ASCII, with single hyphens between them.
    private static func isLabel(_ label: Substring) -> Bool {
        let parts = label.split(separator: "-", omittingEmptySubsequences: false)
        return label.utf8.count <= mostLabelBytes
            && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } }
    }
}
