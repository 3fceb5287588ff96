import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore

/// New groups, and the contacts that are invited to them.
extension Groups {
    /// Makes a group of which the user is the owner.
    func create(_ presented: GroupProfile, of profile: OwnProfile, isIncognito: Bool) throws -> Group {
        try check(presented)
        let incognito = isIncognito ? Profile.incognito(context.environment.random) : nil
        let id = try store.transaction {
            let id = try insert(presented, of: profile)
            let member = try insertMembership(
                of: profile, in: id, as: incognito, role: .owner, status: .creator, inviter: .user)
            try store.setMembership(member, of: id)
            try store.setProfileSent(id, at: now)
            try insertFirstEntries(of: try lookup.group(id), by: nil)
            return id
        }
        return try lookup.group(id)
    }

    /// Throws unless a profile of a group can be sent.
    ///
    /// - Parameter former: The profile before a change, whose name may stay.
    func check(_ presented: GroupProfile, former: GroupProfile? = nil) throws(ChatError) {
        do throws(ProfileError) {
            try presented.checkForSending(isNewName: presented.displayName != former?.displayName)
        } catch {
            switch error {
            case .displayName:
                let name = presented.displayName
                throw .invalidName(name, suggestion: Profile.DisplayName.suggestion(for: name)?.text)
            case .shortDescription, .image: throw .invalidProfile
            }
        }
    }

    /// A group under the first free name, without its membership.
    func insert(
        _ presented: GroupProfile, of profile: OwnProfile, business: BusinessChatInfo? = nil
    ) throws -> GroupID {
        let suggestion = Profile.DisplayName.localName(for: presented.displayName) ?? "group"
        return try store.insertGroup(
            presented.withBoundedImage, named: try store.freeName(suggestion, in: profile.id), of: profile.id,
            business: business, at: now)
    }

    /// The user as a member of a group.
    ///
    /// - Parameter id: Nil for a new one.
    func insertMembership(
        of profile: OwnProfile, in group: GroupID, as incognito: Profile?, _ id: MemberID? = nil, role: GroupRole,
        status: GroupMember.Status, inviter: GroupMember.Inviter
    ) throws -> GroupMemberID {
        let presented = (incognito ?? profile.profile).forMembers()
        return try store.insertMember(
            ChatStore.NewMember(
                groupID: group, memberID: id ?? newMemberID(), role: role, category: .user, status: status,
                name: presented.displayName, profile: presented, contactID: nil, inviter: inviter,
                versions: ChatVersion.supported, isIncognito: incognito != nil), at: now)
    }

    func newMemberID() -> MemberID {
        MemberID(random: context.environment.random.bytes(MemberID.randomSize))
    }

    // MARK: - Rights

    /// Throws unless the user is in a group with at least a role.
    func check(_ group: Group, atLeast role: GroupRole) throws {
        guard group.membership.status.isCurrent, group.membership.status.isActive else {
            throw ChatError.inGroup(.notCurrentMember)
        }
        guard group.membership.role >= role else { throw ChatError.inGroup(.role(group, required: role)) }
    }

    // MARK: - Inviting

    /// Invites a contact, or repeats an invitation with another role.
    func invite(_ contact: Contact, to group: Group, as role: GroupRole) async throws -> GroupMember {
        guard !group.isChannel else { throw ChatError.channel(.invitation) }
        try check(group, atLeast: max(.admin, role))
        guard role.isKnown, role >= .observer else { throw ChatError.commandSyntax }
        guard contact.connection?.storedIncognito == nil else { throw ChatError.membership(.incognitoContact) }
        guard !group.membership.isIncognito else { throw ChatError.membership(.incognitoGroup) }
        try conversations.checkReach(contact)
        let known = try store.members(of: group.id).last { $0.contactID == contact.id && !$0.status.isGone }
        if let known {
            guard known.status == .invited else { throw ChatError.membership(.duplicateMember(contact.name)) }
            guard let link = known.connection?.link, known.connection?.status == .new else {
                throw ChatError.membership(.cannotRepeat(group, contact.name))
            }
            if known.role != role { try store.transaction { try store.update(known.id, role: role, at: now) } }
            return try send(link, to: known.id, contact, group)
        }
        let (id, connection) = try store.transaction {
            let id = try store.insertMember(
                ChatStore.NewMember(
                    groupID: group.id, memberID: newMemberID(), role: role, category: .invitee, status: .invited,
                    name: contact.name, profile: contact.profile, contactID: contact.id, inviter: .user,
                    versions: contact.connection?.version?.peer ?? ChatVersion.initial), at: now)
            return (id, try insertInvitation(for: id, of: group))
        }
        do {
            let pair = try await makeLink(connection, group.profileID)
            let link = pair.full.description
            try store.transaction { try store.update(connection, link: LinkText(full: link, short: nil)) }
            return try send(link, to: id, contact, group)
        } catch {
            try store.transaction {
                try store.releaseConnections(of: id, at: now)
                try store.removeMember(id)
            }
            if try agent.contains(connection) { try agent.delete(connection) }
            throw error
        }
    }

    /// Waits for the relay that makes the link of a connection.
    func makeLink(_ id: ConnectionID, _ profileID: ProfileID) async throws -> LinkPair {
        let agent = try agent, server = try servers.server(for: profileID)
        let made: Result<LinkPair, AgentError> = await withCheckedContinuation { continuation in
            agent.invite(id, profileID, server: server, showing: Groups.emptyContent, postQuantum: .off) {
                continuation.resume(returning: $0)
            }
        }
        return try made.get()
    }

    /// Sends an invitation in the conversation with a contact.
    private func send(_ link: String, to id: GroupMemberID, _ contact: Contact, _ group: Group) throws -> GroupMember {
        let member = try lookup.member(id), membership = group.membership, messageID = conversations.newSharedID()
        let invitation = GroupInvitation(
            from: MemberIDRole(membership.memberID, membership.role), to: MemberIDRole(member.memberID, member.role),
            connectionLink: link, groupProfile: group.profile, business: group.business,
            groupSize: Int64(try store.memberCount(of: group.id)))
        let item = try store.transaction {
            let notice = GroupInvitationNotice(
                groupID: group.id, memberID: id, name: member.name, profile: group.profile, status: .pending,
                role: member.role)
            let item = try store.insertItem(
                NewItem(content: .groupInvitation(notice), direction: .sent, sharedID: messageID, time: now),
                in: .direct(contact.id), at: now)
            try store.owe(ChatMessage(id: messageID, event: .group(.invitation(invitation))), to: contact.id)
            return item
        }
        try conversations.handOverOwed(to: contact.id)
        tell(try lookup.locate([try lookup.item(item)]), of: try lookup.owner(group.profileID))
        return try lookup.member(id)
    }

    // MARK: - Being invited

    /// A contact invites the user, inside of the transaction of the event.
    func recordInvitation(
        _ invitation: GroupInvitation, _ messageID: SharedMessageID?, from contact: Contact, _ profile: OwnProfile,
        at time: Timestamp, _ items: inout [LocatedItem]
    ) throws -> (any ChatEvent)? {
        let host = invitation.fromMember, role = invitation.invitedMember.role
        guard GroupEventRule.mayInvite(host.role, as: role), host.id != invitation.invitedMember.id,
            try isForeign(invitation.connectionLink, to: profile)
        else { return contact.unusable("an invitation to a group by somebody who may not invite", profile) }
        let id: GroupID
        if let known = try store.group(invitedWith: invitation.connectionLink, of: profile.id) {
            let group = try lookup.group(known)
            guard group.membership.memberID == invitation.invitedMember.id else {
                return contact.unusable("an invitation of another member", profile)
            }
            try store.update(group.membership.id, role: role, at: now)
            id = known
        } else {
            guard try store.invitationCount(of: contact.id) < Groups.mostInvitations else {
                return contact.unusable("too many invitations to groups wait", profile)
            }
            id = try insert(invitation, from: contact, profile)
        }
        let group = try lookup.group(id)
        items.append(
            try store.insertReceived(
                .groupInvitation(
                    GroupInvitationNotice(
                        groupID: id, memberID: group.membership.id, name: group.name, profile: group.profile,
                        status: .pending, role: role)), from: contact, sharedID: messageID, at: time, now: now))
        return GroupInvitationEvent(
            profile: profile, group: group, contact: contact, hostRole: host.role, role: role)
    }

    /// The most invitations of one contact that wait for an answer.
    static let mostInvitations = 100

    private func insert(
        _ invitation: GroupInvitation, from contact: Contact, _ profile: OwnProfile
    ) throws -> GroupID {
        let id = try insert(invitation.groupProfile, of: profile, business: invitation.business)
        let host = try store.insertMember(
            ChatStore.NewMember(
                groupID: id, memberID: invitation.fromMember.id, role: invitation.fromMember.role, category: .host,
                status: .invited, name: contact.name, profile: contact.profile, contactID: contact.id,
                inviter: .unknown, versions: contact.connection?.version?.peer ?? ChatVersion.initial), at: now)
        let member = try insertMembership(
            of: profile, in: id, as: contact.connection?.incognito, invitation.invitedMember.id,
            role: invitation.invitedMember.role, status: .invited, inviter: .member(host))
        try store.setMembership(member, of: id)
        try store.setInvitation(invitation.connectionLink, of: id)
        try store.setProfileSent(id, at: now)
        _ = try store.insertNotice(.banner, .sent, in: .group(id), isUnread: false, at: now)
        return id
    }

    /// Joins a group that a contact invited the user to.
    func join(_ group: Group) throws -> Group {
        guard group.membership.status == .invited, let link = try store.invitation(of: group.id),
            let host = try store.members(of: group.id).first(where: { $0.category == .host })
        else { throw ChatError.membership(.notInvited) }
        guard try servers.longestAddress(for: group.profileID) != nil else { throw ChatError.noServer }
        let profile = try lookup.owner(group.profileID)
        var connection: ConnectionID?
        try commit(profile) { consequences in
            connection = try insertConnection(with: host.id, through: link, of: group, versions: host.versions)
            try store.update(group.membership.id, status: .accepted, at: now)
            try store.update(host.id, status: .accepted, at: now)
            try store.setInvitation(nil, of: group.id)
            if let item = try note(.accepted, .received, to: group.id) {
                consequences.events.append(ItemUpdatedEvent(profile: profile, item: item))
            }
        }
        if let connection { try join(connection) }
        return try lookup.group(group.id)
    }
}

extension Contact {
    /// Says in the log why something that the contact sent changes nothing.
    fileprivate func unusable(_ reason: String, _ profile: OwnProfile) -> MessageUnusableEvent? {
        connection.map { MessageUnusableEvent(profile: profile, connection: $0, reason: reason) }
    }
}
