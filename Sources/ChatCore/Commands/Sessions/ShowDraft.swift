public import ByteCoding
public import JSONCoding

/// Shows the draft of a chat. (`/_draft @1`)
public struct ShowDraft: ChatCommand {
    public var chat: ChatTarget

    public init(_ chat: ChatTarget) {
        self.chat = chat
    }

    public static let access = Access.read
    public static let syntax = Syntax(Form("/_draft", .chat(\.chat), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ChatDraft {
        let chat = try core.lookup.chat(chat)
        return ChatDraft(chat, try core.store.draft(of: chat.reference))
    }
}

/// The draft of a chat, if there is one.
public struct ChatDraft: SimpleResponse {
    public let chat: Chat
    public let draft: Draft?

    public static let type = "draft"

    init(_ chat: Chat, _ draft: Draft?) {
        self.chat = chat
        self.draft = draft
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        chat = try fields.required("chatInfo")
        draft = try fields.optional("draft")
    }

    public var fields: JSONObject {
        var fields: JSONObject = ["chatInfo": chat.json]
        fields.set("draft", draft)
        return fields
    }
}
