/// Where a text leads that somebody pasted, clicked or got with a notification: the one entrance for all of them.
///
/// It only says what the text is. What becomes of it is decided by who opens it: a link is planned first (who is it, is
/// that a contact already?), everything else is shown.
public enum Destination: Hashable, Sendable {
    /// A link of the protocol: `simplex:/...`, or one that leads there by a site, `https://...`. Its text is not checked.
    case link(String)
    /// `chat:c4`, `chat:4`, `id:c4`: the conversation with a contact.
    case chat(contact: Int64)
    /// `contact:c4`: what is known of a contact.
    case contact(Int64)
    /// `id:m12`: one entry.
    case message(Int64)
    /// `/contacts/Ann Lee`, `..`: an address, see ``ScreenAddress``.
    case place(String)
    /// `@ann`, or a word that may be a name.
    case name(String)

    /// No link is longer: addresses with post-quantum keys have about four thousand characters.
    static let longest = 16_384

    /// Reads a text; spaces, line breaks, angle brackets and quotation marks around it are no part of it. Nil for nothing,
    /// for what is longer than any link, and for what has control characters: that is no place.
    public init?(_ text: String) {
        let text = Destination.bare(text)
        guard !text.isEmpty, text.utf8.count <= Destination.longest,
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        let lowercased = text.prefix(8).lowercased()
        if lowercased.hasPrefix("simplex:") || lowercased.hasPrefix("https://") {
            // A link has no spaces: what follows one belongs to a sentence.
            guard !text.unicodeScalars.contains(where: { $0.properties.isWhitespace }) else { return nil }
            self = .link(text)
            return
        }
        if let colon = text.firstIndex(of: ":"), let kind = Kind(rawValue: String(text[..<colon])) {
            guard let known = kind.destination(text[text.index(after: colon)...]) else { return nil }
            self = known
            return
        }
        self = text.hasPrefix("/") || text == ".." || text.hasPrefix("../") ? .place(text) : .name(text)
    }

    /// True if a text begins like a link or the address of a relay, whether or not it is a whole one.
    public static func isMeantAsLink(_ text: String) -> Bool {
        let start = bare(text).prefix(8).lowercased()
        return ["simplex:", "https://", "http://", "smp://", "xftp://"].contains { start.hasPrefix($0) }
    }

    /// Whether it means the same wherever somebody is: neither a name nor a place beside others.
    public var isFixed: Bool {
        switch self {
        case .link, .chat, .contact, .message: true
        case .place, .name: false
        }
    }

    /// Whether it has to be found out who is behind it, before anything is done.
    public var needsPlan: Bool {
        if case .link = self { true } else { false }
    }

    /// The screen that it is, if that needs no looking up.
    public var screen: AnyScreen? {
        switch self {
        case .chat(let contact): AnyScreen(ChatScreen(contact: contact))
        case .contact(let contact): AnyScreen(ContactScreen(contact: contact))
        case .link, .message, .place, .name: nil
        }
    }

    private static func bare(_ text: String) -> String {
        let around: Set<Unicode.Scalar> = ["<", ">", "\"", "'", "\u{201c}", "\u{201d}", "`"]
        func isAround(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace || around.contains(scalar) }
        let scalars = text.unicodeScalars.drop(while: isAround).reversed().drop(while: isAround).reversed()
        return String(String.UnicodeScalarView(scalars))
    }

    /// The words before a colon that name something by its id.
    private enum Kind: String {
        case chat, contact, id

        func destination(_ word: Substring) -> Destination? {
            switch self {
            case .chat: Kind.number(word, letter: "c").map { .chat(contact: $0) }
            case .contact: Kind.number(word, letter: "c").map { .contact($0) }
            case .id:
                word.hasPrefix("m")
                    ? Kind.number(word, letter: "m").map { .message($0) }
                    : word.hasPrefix("c") ? Kind.number(word, letter: "c").map { .chat(contact: $0) } : nil
            }
        }

        /// `c4` or `4`
        private static func number(_ word: Substring, letter: Character) -> Int64? {
            let digits = word.first == letter ? word.dropFirst() : word
            guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
            return Int64(digits).flatMap { $0 > 0 ? $0 : nil }
        }
    }
}

/// Destinations that arrive while nothing can be shown: before the store is open, or while the gate is closed.
///
/// What arrives while the session is active goes through at once. The rest waits in its order, each once, and only the
/// newest few: nobody wants to be led through everything that was clicked in a week.
public struct PendingDestinations: Hashable, Sendable {
    /// How many are kept.
    public static let limit = 8

    public private(set) var isActive = false
    private var waiting: [Destination] = []

    public init() {}

    /// Takes a destination. Returns it if it is to be opened now.
    public mutating func arrive(_ destination: Destination) -> Destination? {
        if isActive { return destination }
        waiting.removeAll { $0 == destination }
        waiting.append(destination)
        if waiting.count > PendingDestinations.limit { waiting.removeFirst() }
        return nil
    }

    /// The session can show something from now on. Returns what waited, to be opened in this order.
    public mutating func activate() -> [Destination] {
        isActive = true
        defer { waiting = [] }
        return waiting
    }

    /// Nothing can be shown any more: the gate was closed, or the session was stopped.
    public mutating func deactivate() {
        isActive = false
    }
}
