/// Removes members from a group, perhaps with what they wrote. (`/_remove #1 2,3 [messages=on]`, `/remove #name member`)
public struct RemoveMembers: ChatCommand {
    public var group: GroupTarget
    public var members: MemberTarget
    public var withMessages: Bool

    public init(_ group: GroupTarget, _ members: MemberTarget, withMessages: Bool = false) {
        self.group = group
        self.members = members
        self.withMessages = withMessages
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form(
            "/_remove", .group(\.group), .members(\.members), .flag("messages", \.withMessages),
            make: { Self($0, $1, withMessages: $2) }),
        named("/remove"),
        named("/rm"))

    private static func named(_ words: String) -> Form<Self> {
        Form(words, .groupName(\.group), .memberName(\.members), .flag("messages", \.withMessages)) {
            Self($0, $1, withMessages: $2)
        }
    }

    public func effect(of response: MembersChange) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> MembersChange {
        let group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        let ids = try core.lookup.members(members, of: group)
        let removed = try core.groups.remove(ids, from: group, withMessages: withMessages)
        return MembersChange(
            .removed(withMessages: withMessages), profile, try core.lookup.group(group.id), removed)
    }
}
