public import ChatProtocol

/// Invites the member that a contact was made of, perhaps with a message. (`/_invite member contact @4 [text TEXT|json {...}]`)
public struct InviteMemberContact: ChatCommand {
    public var contact: ContactID
    public var message: MessageContent?

    public init(_ contact: ContactID, message: MessageContent? = nil) {
        self.contact = contact
        self.message = message
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_invite member contact", .contactID(\.contact), .content(\.message), make: { Self($0, message: $1) }))

    public func effect(of response: MemberChange) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> MemberChange {
        let contact = try core.lookup.contact(.reference(.direct(contact)))
        let (invited, group, member) = try core.groups.inviteContact(contact, message)
        return MemberChange(.contactInvited, try core.lookup.profile(contact.profileID), group, member, invited)
    }
}
