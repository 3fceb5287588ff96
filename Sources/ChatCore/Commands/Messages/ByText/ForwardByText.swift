import ByteCoding

/// Forwards the message that begins with a text from another chat. (`@name <- @other text`)
public struct ForwardByText: ChatCommand {
    public let chat: ChatTarget
    public let source: ChatTarget
    public let beginning: String

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("", .chat(\.chat), .arrow, .chat(\.source), .rest(\.beginning)) {
            Self(chat: $0, source: $2, beginning: $3)
        })

    public func utterances(on core: isolated LocalCore) async throws -> [Utterance] {
        try await command(on: core).utterances(on: core)
    }

    public func effect(of response: NewChatItems) -> SessionEffect? {
        .visible(response.profile, .newItems(response.items))
    }

    public func perform(on core: isolated LocalCore) async throws -> NewChatItems {
        try await command(on: core).perform(on: core)
    }

    private func command(on core: isolated LocalCore) throws -> ForwardMessages {
        ForwardMessages(to: chat, from: source, [try core.lookup.item(beginning, in: source)])
    }
}

extension Argument where Value == Bool {
    /// `<-`
    fileprivate static var arrow: Argument {
        Argument(
            read: { reader throws(DecodeError) in
                guard reader.word() == "<-" else { throw .invalid("arrow") }
                return true
            }, write: { _ in "<-" })
    }
}
