public import ByteCoding
public import JSONCoding

/// What is known of one message: its times, its earlier texts, whether it arrived.
public struct MessageScreen: Screen {
    public static let name = "message"
    public static let word = "message"

    /// The number of the contact of the conversation.
    public let contact: Int64
    /// The number of the entry.
    public let message: Int64

    public init(contact: Int64, message: Int64) {
        self.contact = contact
        self.message = message
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        contact = try fields.integer("contact")
        message = try fields.integer("message")
    }

    public var fields: JSONObject { ["contact": .integer(contact), "message": .integer(message)] }
    public var subjects: [Subject] { [.contact(contact), .message(message)] }

    public var parent: (any Screen)? { ChatScreen(contact: contact) }
    public var addressParts: [AddressPart] { [.word(MessageScreen.word), .number(message)] }

    /// `message/17`, behind a conversation.
    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> MessageScreen? {
        guard let chat = parent.value as? ChatScreen, reader.skip(word) else { return nil }
        return MessageScreen(contact: chat.contact, message: try reader.number())
    }
}
