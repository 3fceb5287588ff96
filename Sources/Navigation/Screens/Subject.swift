/// An object of the store that a screen shows, by its permanent number.
public struct Subject: Hashable, Sendable {
    /// The kind of an object. Screens of new objects add theirs in an extension.
    public struct Kind: Hashable, Sendable {
        /// The name of the kind, in the singular.
        public let name: String

        /// Creates a kind.
        public init(_ name: StaticString) {
            self.name = name.description
        }

        /// A profile.
        public static let profile = Kind("profile")
        /// A contact.
        public static let contact = Kind("contact")
        /// A group.
        public static let group = Kind("group")
        /// A member of a group.
        public static let member = Kind("member")
        /// The notes of a profile.
        public static let notes = Kind("notes")
        /// A chat item.
        public static let message = Kind("message")
    }

    /// The kind.
    public let kind: Kind
    /// The number.
    public let number: Int64

    /// Creates a subject from its parts.
    public init(_ kind: Kind, _ number: Int64) {
        self.kind = kind
        self.number = number
    }

    /// Returns the profile with this number.
    public static func profile(_ number: Int64) -> Subject { Subject(.profile, number) }
    /// Returns the contact with this number.
    public static func contact(_ number: Int64) -> Subject { Subject(.contact, number) }
    /// Returns the chat item with this number.
    public static func message(_ number: Int64) -> Subject { Subject(.message, number) }
}
