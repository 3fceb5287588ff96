/// What is known of a contact, and what can be set for it.
public struct ContactScreen: ContactBound {
    public static let name = "contact"
    public static let word = "info"

    public let contact: Int64

    public init(contact: Int64) {
        self.contact = contact
    }

    public var parent: (any Screen)? { ChatScreen(contact: contact) }

    /// `info`, behind a conversation.
    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> ContactScreen? {
        read(behind: ChatScreen.self, inside: parent, from: &reader)
    }
}
