import ChatProtocol

/// Changes the own message that begins with a text, or the last one. (`! @name (old) new`)
public struct EditByText: ChatCommand {
    public let chat: ChatTarget
    public let beginning: String?
    public let text: String

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("!", .chat(\.chat), .beginning(\.beginning), .rest(\.text)) {
            Self(chat: $0, beginning: $1, text: $2)
        })

    public func utterances(on core: isolated LocalCore) async throws -> [Utterance] {
        try await command(on: core).utterances(on: core)
    }

    public func effect(of response: ItemEdited) -> SessionEffect? {
        response.isChanged ? .visible(response.profile, .itemChanged(response.item)) : nil
    }

    public func perform(on core: isolated LocalCore) async throws -> ItemEdited {
        try await command(on: core).perform(on: core)
    }

    private func command(on core: isolated LocalCore) throws -> EditItem {
        EditItem(chat, try core.lookup.item(beginning ?? "", .sent, in: chat), MessageContent(text))
    }
}
