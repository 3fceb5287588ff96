import ChatProtocol

/// Writes notes of a profile to itself. (`/_create *1 json [{"msgContent":{...}}]`, `/* ...`)
public struct CreateNotes: ChatCommand {
    /// Nil for the notes of the active profile.
    public var folder: NoteFolderID?
    public var messages: [ComposedMessage]

    public init(_ folder: NoteFolderID? = nil, _ messages: [ComposedMessage]) {
        self.folder = folder
        self.messages = messages
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_create", .notes(\.folder), .messages(\.messages), make: Self.init),
        Form("/*", .absent(\.folder), .plainText, make: Self.init))

    public func utterances(on core: isolated LocalCore) async throws -> [Utterance] {
        let chat = try chat(on: core), profile = try core.lookup.profile(chat.profileID)
        return messages.map { Utterance(profile: profile, chat: chat, content: $0.content, answers: $0.quoted) }
    }

    public func effect(of response: NewChatItems) -> SessionEffect? {
        .visible(response.profile, .newItems(response.items))
    }

    public func perform(on core: isolated LocalCore) async throws -> NewChatItems {
        guard messages.allSatisfy({ $0.quoted == nil }) else { throw ChatError.unsupported(.quoteInNotes) }
        let chat = try chat(on: core)
        let sent = try core.conversations.send(SendMessages(.reference(chat.reference), messages))
        return NewChatItems(profile: try core.lookup.profile(chat.profileID), items: sent.items)
    }

    private func chat(on core: isolated LocalCore) throws -> Chat {
        if let folder { return try core.lookup.chat(.reference(.notes(folder))) }
        return .notes(try core.profiles.openNotes(of: core.lookup.activeProfile()))
    }
}
