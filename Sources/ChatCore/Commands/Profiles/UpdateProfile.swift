public import AgentProtocol
public import ChatProtocol

/// Changes what a profile says about its owner. Contacts are told, and own links show it. (`/_profile 1 {...}`)
public struct UpdateProfile: ChatCommand {
    public var id: ProfileID
    public var profile: Profile

    public init(_ id: ProfileID, _ profile: Profile) {
        self.id = id
        self.profile = profile
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_profile", .profile(\.id), .json(\.profile), make: Self.init))

    public func effect(of response: ProfileUpdate) -> SessionEffect? { response.effect }

    public func perform(on core: isolated LocalCore) async throws -> ProfileUpdate {
        let known: OwnProfile
        do {
            known = try core.lookup.profile(id)
        } catch ChatError.profileNotFound {
            throw ChatError.differentProfile(id, active: try core.lookup.activeProfile().id)
        }
        return try await core.profiles.update(known, profile)
    }
}
