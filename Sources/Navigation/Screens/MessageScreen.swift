public import ByteCoding
public import JSONCoding

/// The details of one message: its times, former texts and delivery.
public struct MessageScreen: Screen {
    /// The name of the type in stored paths.
    public static let name = "message"
    /// The word in addresses.
    public static let word = "message"

    /// The number of the contact of the conversation.
    public let contact: Int64
    /// The number of the chat item.
    public let message: Int64

    /// Creates a message screen from its parts.
    public init(contact: Int64, message: Int64) {
        self.contact = contact
        self.message = message
    }

    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        contact = try fields.integer("contact")
        message = try fields.integer("message")
    }

    /// The fields of the JSON form.
    public var fields: JSONObject { ["contact": .integer(contact), "message": .integer(message)] }
    /// The contact and the message.
    public var subjects: [Subject] { [.contact(contact), .message(message)] }

    /// The conversation.
    public var parent: (any Screen)? { ChatScreen(contact: contact) }
    /// The word and the number of the message.
    public var addressParts: [AddressPart] { [.word(MessageScreen.word), .number(message)] }

    /// Reads `message/17` after a conversation.
    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> MessageScreen? {
        guard let chat = parent.value as? ChatScreen, reader.skip(word) else { return nil }
        return MessageScreen(contact: chat.contact, message: try reader.number())
    }
}
