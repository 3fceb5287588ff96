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
        return ChatDraft(chat.asContact, try core.store.draft(of: chat.reference))
    }
}

/// The draft of a chat, if there is one.
public struct ChatDraft: SimpleResponse {
    public let contact: Contact
    public let draft: Draft?

    public static let type = "draft"

    init(_ contact: Contact, _ draft: Draft?) {
        self.contact = contact
        self.draft = draft
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        contact = try fields.required("contact")
        draft = try fields.optional("draft")
    }

    public var fields: JSONObject {
        var fields: JSONObject = ["contact": contact.json]
        fields.set("draft", draft)
        return fields
    }
}
