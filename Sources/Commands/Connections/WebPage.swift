/// An address of the web that is not a link of the network.
enum WebPage {
    /// The first words of the paths of links: invitations, addresses, groups, channels, their relays, files and moves.
    private static let linkPaths: Set = ["contact", "invitation", "i", "a", "g", "c", "r", "file"]

    /// Returns true if a text is the address of a web page. A link without its second half is not.
    static func isMeant(by text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        guard let scheme = ["https://", "http://"].first(where: start.hasPrefix) else { return false }
        let parts = text.dropFirst(scheme.count).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.first?.isEmpty == false else { return false }
        guard parts.count == 2, let word = parts[1].split(whereSeparator: { "/#?".contains($0) }).first else {
            return true
        }
        return !linkPaths.contains(String(word))
    }
}
