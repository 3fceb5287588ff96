public import ByteCoding
public import JSONCoding

/// The conversation with a contact.
public struct ChatScreen: Screen {
    public static let name = "chat"
    public static let word = "contacts"

    /// The number of the contact.
    public let contact: Int64

    public init(contact: Int64) {
        self.contact = contact
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        contact = try fields.integer("contact")
    }

    public var fields: JSONObject { ["contact": .integer(contact)] }
    public var subjects: [Subject] { [.contact(contact)] }

    public var addressParts: [AddressPart] { [.word(ChatScreen.word), .name(.contact(contact))] }

    /// `contacts/Ann Lee`
    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> ChatScreen? {
        guard parent.isA(HomeScreen.self), reader.skip(word) else { return nil }
        return ChatScreen(contact: try await reader.subject(.contact).number)
    }
}
