/// The security code of a contact for comparison.
public struct VerificationScreen: ContactBound {
    /// The name of the type in stored paths.
    public static let name = "verification"
    /// The word in addresses.
    public static let word = "code"

    /// The number of the contact.
    public let contact: Int64

    /// Creates a verification screen from its parts.
    public init(contact: Int64) {
        self.contact = contact
    }

    /// The page of the contact.
    public var parent: (any Screen)? { ContactScreen(contact: contact) }

    /// Reads `code` after a contact.
    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> VerificationScreen? {
        read(behindContact: parent, from: &reader)
    }
}
