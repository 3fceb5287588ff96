import AgentProtocol
import ByteCoding

/// Finds the messages of a chat that have a text. (`/search @name text`)
public struct SearchByText: ChatCommand {
    public let chat: ChatTarget
    public let text: String

    public static let access = Access.read
    public static let syntax = Syntax(
        Form("/search", name, .rest(\.text)) { Self(chat: $0, text: $1) },
        Form("/?", name, .rest(\.text)) { Self(chat: $0, text: $1) })

    /// A chat by number is one of ``FindItems``.
    private static let name = Argument<Self, ChatTarget>(
        read: { reader throws(DecodeError) in
            let target = try reader.target()
            switch target {
            case .name, .groupName: return target
            case .reference, .support, .channel: throw .invalid("chat")
            }
        }, write: { $0.chat.text })

    public func perform(on core: isolated LocalCore) async throws -> ChatItems {
        let chat = try core.lookup.chat(chat)
        var query = ItemQuery()
        query.chat = chat.reference
        query.words = text
        return try await FindItems(chat.profileID, query).perform(on: core)
    }
}
