/// The destination of a text that was pasted, clicked or received with a notification.
///
/// The type only classifies the text. The caller decides on the action: a link is first resolved to its owner or known
/// contact, other destinations are shown.
public enum Destination: Hashable, Sendable {
    /// A link of the protocol: `simplex:/...`, or its form `https://...`. The text is not checked.
    case link(String)
    /// The direct chat or the notes with a number: `chat:c4`, `chat:4`, `id:c4`.
    case chat(number: Int64)
    /// The chat of a group with a number: `chat:g4`, `id:g4`.
    case group(Int64)
    /// The page of such a chat: `contact:c4`.
    case contact(Int64)
    /// A chat item: `id:m12`.
    case message(Int64)
    /// An address, see ``ScreenAddress``: `/contacts/Ann Lee`, `..`.
    case place(String)
    /// A name, `@ann`, or a word that may be one.
    case name(String)

    /// The largest size of a link in bytes: addresses with post-quantum keys have about four thousand.
    static let longest = 16_384

    /// Reads a text without surrounding spaces, line breaks, angle brackets and quotation marks. Returns nil for empty
    /// text, for text longer than any link, and for control characters.
    public init?(_ text: String) {
        let text = Destination.bare(text)
        guard !text.isEmpty, text.utf8.count <= Destination.longest,
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        let lowercased = text.prefix(8).lowercased()
        if lowercased.hasPrefix("simplex:") || lowercased.hasPrefix("https://") {
            // A link has no spaces: text after a space belongs to a sentence.
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

    /// Returns true if a text starts like a link or the address of a relay, complete or not.
    public static func isMeantAsLink(_ text: String) -> Bool {
        let start = bare(text).prefix(8).lowercased()
        return ["simplex:", "https://", "http://", "smp://", "xftp://"].contains { start.hasPrefix($0) }
    }

    /// True if the destination does not depend on the current screen: neither a name nor a relative address.
    public var isFixed: Bool {
        switch self {
        case .link, .chat, .group, .contact, .message: true
        case .place, .name: false
        }
    }

    /// True if the destination has to be resolved before it is opened.
    public var needsPlan: Bool {
        if case .link = self { true } else { false }
    }

    private static func bare(_ text: String) -> String {
        let around: Set<Unicode.Scalar> = ["<", ">", "\"", "'", "\u{201c}", "\u{201d}", "`"]
        func isAround(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace || around.contains(scalar) }
        let scalars = text.unicodeScalars.drop(while: isAround).reversed().drop(while: isAround).reversed()
        return String(String.UnicodeScalarView(scalars))
    }

    /// The words before a colon that name objects by id.
    private enum Kind: String {
        case chat, contact, id

        func destination(_ word: Substring) -> Destination? {
            switch self {
            case .chat:
                word.hasPrefix("g")
                    ? Kind.number(word, letter: "g").map { .group($0) }
                    : Kind.number(word, letter: "c").map { .chat(number: $0) }
            case .contact: Kind.number(word, letter: "c").map { .contact($0) }
            case .id:
                switch word.first {
                case "m": Kind.number(word, letter: "m").map { .message($0) }
                case "c": Kind.number(word, letter: "c").map { .chat(number: $0) }
                case "g": Kind.number(word, letter: "g").map { .group($0) }
                default: nil
                }
            }
        }

        /// Reads `c4` or `4`.
        private static func number(_ word: Substring, letter: Character) -> Int64? {
            let digits = word.first == letter ? word.dropFirst() : word
            guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
            return Int64(digits).flatMap { $0 > 0 ? $0 : nil }
        }
    }
}

/// The destinations that arrive while no screen can be shown: before the store is open, or while the gate is closed.
///
/// Destinations in an active session are opened at once. Others wait in order, without duplicates, and only the newest
/// few: the user should not see everything that was clicked in a week.
public struct PendingDestinations: Hashable, Sendable {
    /// The largest number of waiting destinations.
    public static let limit = 8

    /// True if destinations are opened at once.
    public private(set) var isActive = false
    private var waiting: [Destination] = []

    /// Creates a pending destinations.
    public init() {}

    /// Adds a destination. Returns it if it is to be opened now.
    public mutating func arrive(_ destination: Destination) -> Destination? {
        if isActive { return destination }
        waiting.removeAll { $0 == destination }
        waiting.append(destination)
        if waiting.count > PendingDestinations.limit { waiting.removeFirst() }
        return nil
    }

    /// Activates the session. Returns the waiting destinations, to be opened in this order.
    public mutating func activate() -> [Destination] {
        isActive = true
        defer { waiting = [] }
        return waiting
    }

    /// Deactivates the session, because the gate was closed or the session was stopped.
    public mutating func deactivate() {
        isActive = false
    }
}
