public import ByteCoding
public import JSONCoding

/// What is known of a contact, and what can be set for it.
public struct ContactScreen: Screen {
    public static let name = "contact"
    public static let word = "info"

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

    public var parent: (any Screen)? { ChatScreen(contact: contact) }

    /// `info`, behind a conversation.
    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> ContactScreen? {
        guard let chat = parent.value as? ChatScreen, reader.skip(word) else { return nil }
        return ContactScreen(contact: chat.contact)
    }
}
