/// Shows what new members of a group are told. (`/show welcome #name`)
public struct ShowGroupWelcome: ChatCommand {
    public var group: GroupTarget

    public init(_ group: GroupTarget) {
        self.group = group
    }

    public static let access = Access.read
    public static let syntax = Syntax(
        Form("/show welcome", .groupName(\.group), make: { Self($0) }))

    public func perform(on core: isolated LocalCore) async throws -> GroupChange {
        let group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        return GroupChange(.described, profile, group)
    }
}
