import ChatProtocol

/// Reacts to the message that begins with a text, or to the last one, or takes the reaction back. (`+1 @name text`, `-1 @name text`)
public struct ReactByText: ChatCommand {
    public let chat: ChatTarget
    public let beginning: String
    public let emoji: String
    public let isAdded: Bool

    /// Shorter ways to write emoji. Source: the reference implementation.
    private static let shortcuts = [
        "1": "👍", "+": "👍", "-": "👎", ")": "😀", ",": "😢", "*": "❤", "❤\u{FE0F}": "❤", "^": "🚀",
    ]

    public static let access = Access.write
    public static let syntax = Syntax(
        (Reaction.choices.map { ($0, $0) } + shortcuts.map { ($0.key, $0.value) }).flatMap { word, emoji in
            [true, false].map { isAdded in
                Form(
                    (isAdded ? "+" : "-") + word, .fixed(isAdded, \.isAdded), .fixed(emoji, \.emoji), .chat(\.chat),
                    .lastBeginning(\.beginning)
                ) { Self(chat: $2, beginning: $3, emoji: $1, isAdded: $0) }
            }
        })

    public func effect(of response: ReactionChanged) -> SessionEffect? {
        .visible(response.profile, .itemChanged(response.item))
    }

    public func perform(on core: isolated LocalCore) async throws -> ReactionChanged {
        guard let reaction = Reaction(emoji: emoji) else { throw ChatError.commandSyntax }
        return try await React(chat, try core.lookup.item(beginning, in: chat), reaction, isAdded: isAdded)
            .perform(on: core)
    }
}
