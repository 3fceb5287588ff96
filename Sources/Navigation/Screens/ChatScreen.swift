/// The conversation with a contact.
public struct ChatScreen: ContactBound {
    /// The name of the type in stored paths.
    public static let name = "chat"
    /// The word in addresses.
    public static let word = "contacts"

    /// The number of the contact.
    public let contact: Int64

    /// Creates a chat screen from its parts.
    public init(contact: Int64) {
        self.contact = contact
    }

    /// The word and the name of the contact.
    public var addressParts: [AddressPart] { [.word(ChatScreen.word), .name(.contact(contact))] }

    /// Reads `contacts/Ann Lee`.
    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> ChatScreen? {
        guard parent.isA(HomeScreen.self), reader.skip(word) else { return nil }
        return ChatScreen(contact: try await reader.subject(.contact).number)
    }
}
