/// Makes a contact of a member of a group, to whom nothing is sent yet. Waits for a relay. (`/_create member contact #1 2`)
public struct CreateMemberContact: ChatCommand {
    public var group: GroupTarget
    public var member: GroupMemberID

    public init(_ group: GroupTarget, _ member: GroupMemberID) {
        self.group = group
        self.member = member
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_create member contact", .group(\.group), .member(\.member), make: { Self($0, $1) }))

    public func effect(of response: MemberChange) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> MemberChange {
        let group = try core.lookup.group(group)
        let profile = try core.lookup.profile(group.profileID)
        let (contact, member) = try await core.groups.createContact(with: member, in: group)
        return MemberChange(.contactCreated, profile, try core.lookup.group(group.id), member, contact)
    }
}
