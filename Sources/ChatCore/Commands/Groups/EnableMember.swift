/// Sends to a member again although its relay refused too many messages. (`/_enable #1 2`, `/enable #name @member`)
public struct EnableMember: ChatCommand {
    public var group: GroupTarget
    public var member: MemberTarget

    public init(_ group: GroupTarget, _ member: MemberTarget) {
        self.group = group
        self.member = member
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form.ofMember("/_enable", named: "/enable", \.group, \.member, make: { Self($0, $1) }))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let (profile, _, _, id) = try core.lookup.connected(member, of: group)
        try core.store.transaction { try core.store.clearErrors(of: id) }
        return CommandOK(profile)
    }
}
