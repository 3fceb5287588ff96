public import ByteCoding
public import JSONCoding

/// The connection with a contact: its relays, its ratchet, what is wrong with it.
public struct ConnectionScreen: Screen {
    public static let name = "connection"
    public static let word = "connection"

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

    public var parent: (any Screen)? { ContactScreen(contact: contact) }

    /// `connection`, behind a contact.
    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> ConnectionScreen? {
        guard let parent = parent.value as? ContactScreen, reader.skip(word) else { return nil }
        return ConnectionScreen(contact: parent.contact)
    }
}
