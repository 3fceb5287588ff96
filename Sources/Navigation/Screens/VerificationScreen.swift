/// The security code of a contact, to be compared.
public struct VerificationScreen: ContactBound {
    public static let name = "verification"
    public static let word = "code"

    public let contact: Int64

    public init(contact: Int64) {
        self.contact = contact
    }

    public var parent: (any Screen)? { ContactScreen(contact: contact) }

    /// `code`, behind a contact.
    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> VerificationScreen? {
        read(behind: ContactScreen.self, inside: parent, from: &reader)
    }
}
