/// The connection with a contact: its relays, ratchet and problems.
public struct ConnectionScreen: ContactBound {
    /// The name of the type in stored paths.
    public static let name = "connection"
    /// The word in addresses.
    public static let word = "connection"

    /// The number of the contact.
    public let contact: Int64

    /// Creates a connection screen from its parts.
    public init(contact: Int64) {
        self.contact = contact
    }

    /// The page of the contact.
    public var parent: (any Screen)? { ContactScreen(contact: contact) }

    /// Reads `connection` after a contact.
    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> ConnectionScreen? {
        read(behindContact: parent, from: &reader)
    }
}
