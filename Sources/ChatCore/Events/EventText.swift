public import SMPProtocol

/// A sentence in parts: words of this program, and what they are about, which each face shows in its way.
///
/// ```swift
/// let text: EventText = "changed \(item.id): \(untrusted: text)"
/// ```
public struct EventText: Hashable, Sendable, ExpressibleByStringInterpolation {
    public enum Part: Hashable, Sendable {
        case words(String)
        /// Text that somebody else wrote. SECURITY: a terminal must not get it as it is.
        case untrusted(String)
        /// A chat; nil for one that is not known.
        case chat(Chat?)
        case profile(OwnProfile)
        case item(ChatItemID)
        case server(ServerAddress)
    }

    public let parts: [Part]

    public init(stringLiteral words: String) {
        parts = [.words(words)]
    }

    public init(stringInterpolation: StringInterpolation) {
        parts = stringInterpolation.parts
    }

    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        public init(literalCapacity: Int, interpolationCount: Int) {
            parts.reserveCapacity(interpolationCount * 2 + 1)
        }

        public mutating func appendLiteral(_ words: String) {
            if !words.isEmpty { parts.append(.words(words)) }
        }

        public mutating func appendInterpolation(_ chat: Chat?) { parts.append(.chat(chat)) }
        public mutating func appendInterpolation(_ contact: Contact?) {
            parts.append(.chat(contact.map { .direct($0) }))
        }
        public mutating func appendInterpolation(_ profile: OwnProfile) { parts.append(.profile(profile)) }
        public mutating func appendInterpolation(_ id: ChatItemID) { parts.append(.item(id)) }
        public mutating func appendInterpolation(_ server: ServerAddress) { parts.append(.server(server)) }
        public mutating func appendInterpolation(_ count: Int) { parts.append(.words("\(count)")) }
        public mutating func appendInterpolation(untrusted text: String) { parts.append(.untrusted(text)) }

        /// A word of a closed list.
        public mutating func appendInterpolation(word: String) { parts.append(.words(word)) }

        /// Entries and their chats.
        public mutating func appendInterpolation(_ items: [LocatedItem]) {
            for (index, located) in items.enumerated() {
                if index > 0 { appendLiteral(", ") }
                appendInterpolation(located.item.id)
                appendLiteral(" of ")
                appendInterpolation(located.chat)
            }
        }
    }
}
