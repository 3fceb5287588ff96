/// The page of a contact with its settings.
public struct ContactScreen: ContactBound {
    /// The name of the type in stored paths.
    public static let name = "contact"
    /// The word in addresses.
    public static let word = "info"

    /// The number of the contact.
    public let contact: Int64

    /// Creates a contact screen from its parts.
    public init(contact: Int64) {
        self.contact = contact
    }

    /// The conversation with the contact.
    public var parent: (any Screen)? { ChatScreen(contact: contact) }

    /// Reads `info` after a conversation.
    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> ContactScreen? {
        read(behind: ChatScreen.self, inside: parent, from: &reader)
    }
}
