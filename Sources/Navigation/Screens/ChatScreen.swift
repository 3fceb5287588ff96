public import ByteCoding
public import JSONCoding

/// The conversation with a contact.
public struct ChatScreen: Screen {
    public static let name = "chat"

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
}
