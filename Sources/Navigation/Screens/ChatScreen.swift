public import ByteCoding
public import JSONCoding

/// A chat: with a contact, in a group, or the notes.
public struct ChatScreen: ChatBound {
    /// The name of the type in stored paths.
    public static let name = "chat"
    /// The word in addresses.
    public static let word = "contacts"
    /// The word in addresses of groups.
    public static let groupWord = "groups"

    /// The chat.
    public let chat: ChatSubject

    /// Creates a chat screen from its parts.
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

    /// The word and the name of the chat.
    public var addressParts: [AddressPart] {
        [.word(isGroup ? ChatScreen.groupWord : ChatScreen.word), .name(chat.subject)]
    }

    private var isGroup: Bool {
        if case .group = chat { true } else { false }
    }

    /// Reads `contacts/Ann Lee` or `groups/team`.
    public static func read(
        inside parent: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> ChatScreen? {
        guard parent.isA(HomeScreen.self) else { return nil }
        if reader.skip(groupWord) { return ChatScreen(try await reader.group()) }
        return reader.skip(word) ? ChatScreen(try await reader.chat()) : nil
    }
}
