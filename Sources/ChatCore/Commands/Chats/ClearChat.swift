public import ByteCoding
public import JSONCoding

/// Deletes the messages of a chat, here. (`/_clear chat @1`, `/clear @name`, `/clear *`)
public struct ClearChat: ChatCommand {
    /// Nil for the notes of the active profile.
    public var chat: ChatTarget?

    public init(_ chat: ChatTarget?) {
        self.chat = chat
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_clear chat", .requiredChat(\.chat), make: { Self($0) }),
        Form("/clear *", .absent(\.chat), make: { Self($0) }),
        Form("/clear", .person(\.chat), make: { Self($0) }))

    public func effect(of response: ClearedChat) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> ClearedChat {
        let chat =
            try chat.map { try core.lookup.chat($0) }
            ?? .notes(try core.profiles.notes(of: try core.lookup.activeProfile()))
        try core.expiry.clear(chat)
        return ClearedChat(
            profile: try core.lookup.profile(chat.profileID), chat: try core.lookup.chat(chat.reference))
    }
}

/// A chat without its messages.
public struct ClearedChat: SimpleResponse {
    public let profile: OwnProfile
    public let chat: Chat

    public static let type = "chatCleared"

    public var fields: JSONObject { ["user": profile.json, "chatInfo": chat.json] }

    init(profile: OwnProfile, chat: Chat) {
        self.profile = profile
        self.chat = chat
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), chat: try fields.required("chatInfo"))
    }
}

extension Argument where Value == ChatTarget? {
    /// `@12` or `@'name'`, or for people `name` of a contact.
    fileprivate static func person(_ value: @escaping @Sendable (Command) -> ChatTarget?) -> Argument {
        let named = Argument<Command, ChatTarget>.person { _ in .name("") }
        return Argument(read: { reader throws(DecodeError) in try named.read(&reader) }, write: { value($0)?.text })
    }

    /// `@12`, which must be there.
    static func requiredChat(_ value: @escaping @Sendable (Command) -> ChatTarget?) -> Argument {
        Argument(read: { reader throws(DecodeError) in try reader.target() }, write: { value($0)?.text })
    }
}
