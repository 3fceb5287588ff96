/// Shows a member of a group. (`/_info #1 2`, `/info #name @member`)
public struct ShowMember: ChatCommand {
    public var group: GroupTarget
    public var member: MemberTarget

    public init(_ group: GroupTarget, _ member: MemberTarget) {
        self.group = group
        self.member = member
    }

    public static let access = Access.read
    public static let syntax = Syntax(
        Form.ofMember("/_info", named: "/info", \.group, \.member, aliases: ["/i"], make: { Self($0, $1) }))

    public func perform(on core: isolated LocalCore) async throws -> MemberChange {
        let group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        return MemberChange(.shown, profile, group, try core.lookup.member(member, of: group))
    }
}
