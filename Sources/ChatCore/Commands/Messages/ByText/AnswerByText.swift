import ChatProtocol

/// Answers the message of a contact, or the own one, that begins with a text. (`> @name (text) answer`, `>> @name (text) answer`)
public struct AnswerByText: ChatCommand {
    public let chat: ChatTarget
    public let beginning: String
    public let text: String
    public let isOwn: Bool

    public static let access = Access.write
    public static let syntax = Syntax(
        [(">", false), (">>", true)].map { word, isOwn in
            Form(word, .fixed(isOwn, \.isOwn), .chat(\.chat), .beginning(\.beginning), .rest(\.text)) {
                Self(chat: $1, beginning: $2, text: $3, isOwn: $0)
            }
        })

    public func utterances(on core: isolated LocalCore) async throws -> [Utterance] {
        try await command(on: core).utterances(on: core)
    }

    public func effect(of response: MessagesSent) -> SessionEffect? {
        if case .newItems(let profile, let items) = response { .visible(profile, .newItems(items)) } else { nil }
    }

    public func perform(on core: isolated LocalCore) async throws -> MessagesSent {
        try await command(on: core).perform(on: core)
    }

    private func command(on core: isolated LocalCore) throws -> SendMessages {
        let quoted = try core.lookup.item(beginning, isOwn ? .sent : .received, in: chat)
        return SendMessages(chat, [ComposedMessage(MessageContent(text), answering: quoted)])
    }
}
