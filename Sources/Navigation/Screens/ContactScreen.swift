public import ByteCoding
public import JSONCoding

/// The page of a contact or another chat with its settings.
public struct ContactScreen: ChatBound {
    /// The name of the type in stored paths.
    public static let name = "contact"
    /// The word in addresses.
    public static let word = "info"

    /// The chat.
    public let chat: ChatSubject

    /// Creates a contact screen from its parts.
    public init(_ chat: ChatSubject) {
        self.chat = chat
    }

    /// Creates the screen of a direct chat.
    public init(contact: Int64) {
        self.init(.contact(contact))
    }

    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(try ChatSubject(from: &fields))
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = JSONObject()
        chat.set(in: &fields)
        return fields
    }

    /// The chat.
    public var subjects: [Subject] { [chat.subject] }

    /// Returns the same screen of another chat.
    public func of(_ chat: ChatSubject) -> Self { Self(chat) }

    /// The chat.
    public var parent: (any Screen)? { ChatScreen(chat) }

    /// Reads `info` after a conversation.
    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> ContactScreen? {
        guard let parent = parent.value as? ChatScreen, reader.skip(word) else { return nil }
        return ContactScreen(parent.chat)
    }
}
