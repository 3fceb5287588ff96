import ByteCoding
import JSONCoding

/// Stores the draft of a chat, or removes it. An empty draft is none.
/// (`/_draft @1 json {"text":"...","answers":7}`, `/_draft @1 off`)
public struct SetDraft: ChatCommand {
    public var chat: ChatTarget
    public var draft: Draft?

    public init(_ chat: ChatTarget, _ draft: Draft?) {
        self.chat = chat
        self.draft = draft
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_draft", .chat(\.chat), contents, make: Self.init))

    private static let contents = Argument<Self, Draft?>(
        read: { reader throws(DecodeError) in
            switch reader.word() {
            case "off": return nil
            case "json": return try Draft(decoding: Bytes(reader.rest().utf8))
            default: throw .invalid("draft")
            }
        }, write: { $0.draft.map { "json \($0.fields.line)" } ?? "off" })

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let chat = try core.lookup.chat(chat), store = core.store
        let isEmpty = draft?.text.isEmpty ?? true && draft?.answers == nil
        if let id = draft?.answers, try store.item(id)?.chat != chat.reference { throw ChatError.itemNotFound(id) }
        try store.transaction { try store.setDraft(isEmpty ? nil : draft, of: chat.reference, at: core.now) }
        return CommandOK(try core.lookup.profile(chat.profileID))
    }
}
