public import AgentProtocol

/// Shows the conversation of a profile with itself, if there is one. (`/_notes 1`, `/notes`)
public struct ShowNotes: ChatCommand {
    public var profile: ProfileID?

    public init(_ profile: ProfileID? = nil) {
        self.profile = profile
    }

    public static let access = Access.read
    public static let syntax = Syntax(numbered: "notes", { $0.profile }, make: Self.init)

    public func perform(on core: isolated LocalCore) async throws -> ChatInfo {
        let profile = try core.lookup.profile(profile)
        return ChatInfo(profile: profile, chat: .notes(try core.profiles.notes(of: profile)))
    }
}
