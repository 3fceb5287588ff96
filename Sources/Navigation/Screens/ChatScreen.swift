/// The conversation with a contact.
public struct ChatScreen: ContactBound {
    public static let name = "chat"
    public static let word = "contacts"

    public let contact: Int64

    public init(contact: Int64) {
        self.contact = contact
    }

    public var addressParts: [AddressPart] { [.word(ChatScreen.word), .name(.contact(contact))] }

    /// `contacts/Ann Lee`
    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> ChatScreen? {
        guard parent.isA(HomeScreen.self), reader.skip(word) else { return nil }
        return ChatScreen(contact: try await reader.subject(.contact).number)
    }
}
