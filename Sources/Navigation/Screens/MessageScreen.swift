public import ByteCoding
public import JSONCoding

/// The details of one message: its times, former texts and delivery.
public struct MessageScreen: ChatBound {
    /// The name of the type in stored paths.
    public static let name = "message"
    /// The word in addresses.
    public static let word = "message"

    /// The chat.
    public let chat: ChatSubject
    /// The number of the chat item.
    public let message: Int64

    /// Creates a message screen from its parts.
    public init(_ chat: ChatSubject, message: Int64) {
        self.chat = chat
        self.message = message
    }

    /// Creates the screen of a message of a direct chat.
    public init(contact: Int64, message: Int64) {
        self.init(.contact(contact), message: message)
    }

    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        chat = try ChatSubject(from: &fields)
        message = try fields.integer("message")
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = JSONObject()
        chat.set(in: &fields)
        fields.set("message", message)
        return fields
    }

    /// The chat and the message.
    public var subjects: [Subject] { [chat.subject, .message(message)] }

    /// Returns the same screen of another chat.
    public func of(_ chat: ChatSubject) -> Self { Self(chat, message: message) }

    /// The chat.
    public var parent: (any Screen)? { ChatScreen(chat) }
    /// The word and the number of the message.
    public var addressParts: [AddressPart] { [.word(MessageScreen.word), .number(message)] }

    /// Reads `message/17` after a conversation.
    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> MessageScreen? {
        guard let chat = parent.value as? ChatScreen, reader.skip(word) else { return nil }
        return MessageScreen(chat.chat, message: try reader.number())
    }
}
