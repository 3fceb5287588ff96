/// The connection with a contact: its relays, its ratchet, what is wrong with it.
public struct ConnectionScreen: ContactBound {
    public static let name = "connection"
    public static let word = "connection"

    public let contact: Int64

    public init(contact: Int64) {
        self.contact = contact
    }

    public var parent: (any Screen)? { ContactScreen(contact: contact) }

    /// `connection`, behind a contact.
    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> ConnectionScreen? {
        read(behind: ContactScreen.self, inside: parent, from: &reader)
    }
}
