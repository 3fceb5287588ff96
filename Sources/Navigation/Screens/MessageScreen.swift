public import ByteCoding
public import JSONCoding

/// What is known of one message: its times, its earlier texts, whether it arrived.
public struct MessageScreen: Screen {
    public static let name = "message"

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
}
