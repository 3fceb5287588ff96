/// What a person pastes where the first steps ask for the address of a relay.
enum PastedAddress: Hashable, Sendable {
    /// What may be the address of a relay, without what stood around it.
    case relay(String)
    /// A link to a contact.
    case link(SessionLink)
    /// The address of a file relay (XFTP).
    case fileRelay
    case webPage
    /// A host without a fingerprint, or anything else.
    case other

    /// Line breaks are no part of an address: programs for mail put them there. Nor are brackets and quotes around it.
    init(_ text: String) {
        if let link = SessionLink(text) {
            self = .link(link)
            return
        }
        let around: Set<Character> = ["<", ">", "\"", "'", "`", "\u{201c}", "\u{201d}", ",", ";"]
        let joined = text.split(whereSeparator: \.isNewline).map { String($0).trimmed }.joined()
        let bare = joined.drop { around.contains($0) }.reversed().drop { around.contains($0) }.reversed()
        let address = String(bare), start = address.prefix(8).lowercased()
        if start.hasPrefix("smp://") {
            self = .relay("smp://" + address.dropFirst(6))
        } else if start.hasPrefix("xftp://") {
            self = .fileRelay
        } else if start.hasPrefix("https://") || start.hasPrefix("http://") {
            self = .webPage
        } else {
            self = .other
        }
    }

    /// What it is, and what is needed instead; nil if it may be what is asked for.
    var explanation: String? {
        let form = "A relay address has the form smp://FINGERPRINT@HOST."
        switch self {
        case .relay: return nil
        case .link: return "This is a link to a contact. The link opens after the setup."
        case .fileRelay:
            return
                "This is the address of a file relay, which stores files. Messages need another relay. After the setup, "
                + "'tacit server add' adds the file relay. \(form)"
        case .webPage: return "This is the address of a web page. \(form)"
        case .other: return "This is not a relay address. \(form) On the relay, 'tacit relay address' prints it."
        }
    }
}
