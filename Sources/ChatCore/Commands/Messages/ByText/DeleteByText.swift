/// Takes back the own message that begins with a text, or the last one. (`\ @name text`)
public struct DeleteByText: ChatCommand {
    public let chat: ChatTarget
    public let beginning: String

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("\\", .chat(\.chat), .lastBeginning(\.beginning)) { Self(chat: $0, beginning: $1) })

    public func effect(of response: ItemsDeleted) -> SessionEffect? { response.effect }

    public func perform(on core: isolated LocalCore) async throws -> ItemsDeleted {
        try await DeleteItems(chat, [try core.lookup.item(beginning, .sent, in: chat)], .broadcast).perform(on: core)
    }
}
