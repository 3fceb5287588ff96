public import AgentProtocol

/// Shows the conversation of a profile with itself, and makes it if there is none. (`/_open_notes 1`, `/open_notes`)
public struct OpenNotes: ChatCommand {
    public var profile: ProfileID?

    public init(_ profile: ProfileID? = nil) {
        self.profile = profile
    }

    public static let access = Access.write
    public static let syntax = Syntax(numbered: "open_notes", { $0.profile }, make: Self.init)

    public func perform(on core: isolated LocalCore) async throws -> ChatInfo {
        let profile = try core.lookup.profile(profile)
        return ChatInfo(profile: profile, chat: .notes(try core.profiles.openNotes(of: profile)))
    }
}
