import ChatProtocol

/// Gives a group another name. (`/group_profile #name NEW [FULL NAME]`)
public struct RenameGroup: ChatCommand {
    public var group: GroupTarget
    public var name: String
    public var fullName: String?

    public init(_ group: GroupTarget, _ name: String, fullName: String? = nil) {
        self.group = group
        self.name = name
        self.fullName = fullName
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        form("/group_profile"),
        form("/gp"))

    private static func form(_ words: String) -> Form<Self> {
        Form(words, .groupName(\.group), .name(\.name), .optionalWords("text", \.fullName)) {
            Self($0, $1, fullName: $2)
        }
    }

    public func effect(of response: GroupUpdate) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> GroupUpdate {
        let group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        var presented = group.profile
        presented.displayName = name
        presented.fullName = fullName ?? ""
        return GroupUpdate(profile, group, try await core.groups.update(group, presented))
    }
}
