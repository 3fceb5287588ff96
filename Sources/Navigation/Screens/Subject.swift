/// A thing of the store that a screen shows, by the number that names it for ever.
public struct Subject: Hashable, Sendable {
    /// What the number is a number of. Screens of new things add theirs in an extension.
    public struct Kind: Hashable, Sendable {
        /// The word for it, in the singular.
        public let name: String

        public init(_ name: StaticString) {
            self.name = name.description
        }

        public static let profile = Kind("profile")
        public static let contact = Kind("contact")
        public static let message = Kind("message")
    }

    public let kind: Kind
    public let number: Int64

    public init(_ kind: Kind, _ number: Int64) {
        self.kind = kind
        self.number = number
    }

    public static func profile(_ number: Int64) -> Subject { Subject(.profile, number) }
    public static func contact(_ number: Int64) -> Subject { Subject(.contact, number) }
    public static func message(_ number: Int64) -> Subject { Subject(.message, number) }
}
