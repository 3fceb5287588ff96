import ChatCore
import ChatProtocol

/// What is done in groups.
extension CommandSession {
    func create(_ profile: GroupProfile, isIncognito: Bool) async throws -> Group {
        try await execute(CreateGroup(try await self.profile().id, profile, isIncognito: isIncognito)).group
    }

    func join(_ group: Group) async throws -> Group {
        try await execute(JoinGroup(.id(group.id), isQueued: true)).group
    }

    func leave(_ group: Group) async throws -> Group {
        try await execute(LeaveGroup(.id(group.id))).group
    }

    /// Deletes a group here, and for all members if the user owns it.
    func delete(_ group: Group) async throws {
        _ = try await execute(DeleteChat(.reference(.group(group.id)), .full, notifies: true))
    }

    func update(_ group: Group, profile: GroupProfile) async throws -> Group {
        try await execute(UpdateGroup(.id(group.id), profile)).group
    }

    func setAlias(_ alias: String, of group: Group) async throws {
        _ = try await execute(SetAlias(.reference(.group(group.id)), alias.isEmpty ? nil : alias))
    }

    // MARK: - Members

    func invite(_ contact: Contact, to group: Group, _ role: GroupRole) async throws -> GroupMember {
        try await execute(InviteToGroup(.id(group.id), .reference(.direct(contact.id)), as: role)).member
    }

    func accept(_ member: GroupMember, in group: Group, _ role: GroupRole) async throws -> GroupMember {
        try await execute(AcceptMember(.id(group.id), .ids([member.id]), as: role)).member
    }

    func remove(_ members: [GroupMember], of group: Group, withMessages: Bool) async throws -> [GroupMember] {
        try await execute(
            RemoveMembers(.id(group.id), .ids(members.map(\.id)), withMessages: withMessages)
        ).members
    }

    func setRole(_ role: GroupRole, of members: [GroupMember], in group: Group) async throws -> [GroupMember] {
        try await execute(SetMemberRole(.id(group.id), .ids(members.map(\.id)), role)).members
    }

    /// Shows the messages of a member here, or hides them.
    func show(_ member: GroupMember, in group: Group, _ shows: Bool) async throws -> GroupMember {
        _ = try await execute(ShowMemberMessages(.id(group.id), .ids([member.id]), shows))
        return try await self.member(.memberID(member.id)).member
    }

    /// Blocks members for all, or ends that.
    func block(_ members: [GroupMember], of group: Group, _ isBlocked: Bool) async throws -> [GroupMember] {
        try await execute(BlockMembers(.id(group.id), .ids(members.map(\.id)), isBlocked)).members
    }

    /// Invites a member to be a contact, or accepts the invitation of the member. Returns what was done, in a word.
    func makeContact(of member: GroupMember, in group: Group) async throws -> (contact: Contact, action: String) {
        guard let id = member.contactID else {
            let made = try await execute(CreateMemberContact(.id(group.id), member.id))
            guard let contact = made.contact else { throw ChatError.inGroup(.memberNotFound(member.id)) }
            _ = try await execute(InviteMemberContact(contact.id))
            return (contact, "invited")
        }
        let contact = try await contact(.contactID(id))
        guard let invitation = contact.memberInvitation, !contact.isReady || contact.invitesUser else {
            throw ChatError.membership(.refused(.contactExists))
        }
        if invitation.isOwn {
            _ = try await execute(InviteMemberContact(id))
            return (contact, "invited")
        }
        return (try await execute(AcceptMemberContact(.reference(.direct(id)), isQueued: true)).contact, "accepted")
    }

    func moderate(_ ids: [ChatItemID], in group: Group) async throws -> [DeletedItem] {
        try await execute(ModerateItems(.reference(.group(group.id)), ids)).deleted
    }

    // MARK: - Links

    /// The link of a group; nil if it has none.
    func link(of group: Group) async throws -> GroupLink? {
        do {
            return try await execute(ShowGroupLink(.id(group.id))).link
        } catch ChatError.membership(.noLink) {
            return nil
        }
    }

    func createLink(
        of group: Group, _ role: GroupRole, before deadline: ContinuousClock.Instant
    ) async throws -> GroupLink {
        try await execute(CreateGroupLink(.id(group.id), role), before: deadline).link
    }

    func setLinkRole(_ role: GroupRole, of group: Group) async throws -> GroupLink {
        try await execute(SetGroupLinkRole(.id(group.id), role)).link
    }

    func deleteLink(of group: Group) async throws {
        _ = try await execute(DeleteGroupLink(.id(group.id)))
    }
}
