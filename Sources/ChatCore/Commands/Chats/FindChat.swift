public import AgentProtocol

/// Shows a chat of a profile, without its messages. (`/_chat 1 @'name'`, `/_chat 1 *7`, `/chat @name`; the official core has
/// none)
public struct FindChat: ChatCommand {
    public var profile: ProfileID?
    public var chat: ChatTarget

    public init(_ chat: ChatTarget, of profile: ProfileID? = nil) {
        self.profile = profile
        self.chat = chat
    }

    public static let access = Access.read
    public static let syntax = Syntax(numbered: "chat", { $0.profile }, .chat(\.chat)) { Self($1, of: $0) }

    public func perform(on core: isolated LocalCore) async throws -> ChatInfo {
        let profile = try core.lookup.profile(profile)
        switch chat {
        case .name(let name):
            guard let chat = try core.store.chat(named: name, of: profile.id) else {
                throw ChatError.contactNotFoundByName(name)
            }
            return ChatInfo(profile: profile, chat: chat)
        case .groupName(let name):
            guard let group = try core.store.chat(named: name, of: profile.id)?.group else {
                throw ChatError.membership(.groupNameNotFound(name))
            }
            return ChatInfo(profile: profile, chat: .group(group))
        case .reference, .support, .channel:
            let chat = try core.lookup.chat(chat)
            guard chat.profileID == profile.id else { throw ChatError.chatNotFound(chat.reference) }
            return ChatInfo(profile: profile, chat: chat)
        }
    }
}
