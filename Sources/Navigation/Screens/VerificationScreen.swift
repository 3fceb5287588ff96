public import ByteCoding
public import JSONCoding

/// The security code of a contact, to be compared.
public struct VerificationScreen: Screen {
    public static let name = "verification"
    public static let word = "code"

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

    /// `code`, behind a contact.
    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> VerificationScreen? {
        guard let parent = parent.value as? ContactScreen, reader.skip(word) else { return nil }
        return VerificationScreen(contact: parent.contact)
    }
}
