import AgentProtocol
public import ByteCoding
public import JSONCoding
import Store

/// Lists the kinds of messages that occur in a chat. (`/_get content types @1`)
public struct ListContentTypes: ChatCommand {
    public var chat: ChatTarget

    public init(_ chat: ChatTarget) {
        self.chat = chat
    }

    public static let access = Access.read
    public static let syntax = Syntax(Form("/_get content types", .chat(\.chat), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ContentTypes {
        let chat = try core.lookup.chat(chat)
        return ContentTypes(words: try core.store.contentTypes(in: chat.reference, support: chat.supportID))
    }
}

/// The kinds of messages in a chat, in the words of the API and the order of the alphabet.
public struct ContentTypes: SimpleResponse {
    public let words: [String]

    public static let type = "chatContentTypes"

    public var fields: JSONObject { ["contentTypes": .array(words.map { .string($0) })] }

    init(words: [String]) {
        self.words = words
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            words: try fields.elements("contentTypes").map { word throws(DecodeError) in
                guard let word = word.string else { throw .invalid("contentTypes") }
                return word
            })
    }
}

extension ChatStore {
    /// The kinds of messages in a conversation, or in one of a member with the moderators.
    func contentTypes(in chat: ChatReference, support: GroupMemberID?) throws -> [String] {
        try database.rows(
            """
            SELECT DISTINCT content ->> '$.type' AS word FROM items
            WHERE chat_id = \(chat.row("?1")) AND kind = 'message' AND support_id IS ?2 AND word IS NOT NULL ORDER BY word
            """, chat.number, support?.number
        ) { row throws(StoreError) in try row.text() }
    }
}
