public import AgentProtocol
public import ChatProtocol

/// Makes a group, of which the user is the owner. (`/_group 1 [incognito=on] {"displayName":"team","fullName":""}`)
public struct CreateGroup: ChatCommand {
    public var profile: ProfileID
    public var groupProfile: GroupProfile
    public var isIncognito: Bool

    public init(_ profile: ProfileID, _ groupProfile: GroupProfile, isIncognito: Bool = false) {
        self.profile = profile
        self.groupProfile = groupProfile
        self.isIncognito = isIncognito
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_group", .profile(\.profile), .incognito(\.isIncognito), .json(\.groupProfile)) {
            Self($0, $2, isIncognito: $1)
        })

    public func effect(of response: GroupChange) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> GroupChange {
        let profile = try core.lookup.profile(profile)
        let group = try core.groups.create(groupProfile, of: profile, isIncognito: isIncognito)
        return GroupChange(.created, profile, group)
    }
}
