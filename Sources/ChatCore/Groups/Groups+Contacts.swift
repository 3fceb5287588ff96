import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol

/// Members that become contacts through a group (chat.md 4.6).
extension Groups {
    /// Makes a contact of a member, to whom nothing is sent yet. It waits for a relay.
    func createContact(with id: GroupMemberID, in group: Group) async throws -> (Contact, GroupMember) {
        try check(group, atLeast: .author)
        // The user is the contact of its own profile.
        guard id != group.membership.id else { throw ChatError.membership(.refused(.contactExists)) }
        let member = try lookup.member(id, of: group)
        guard group.profile.allows(.directMessages, group.membership.role) else {
            throw ChatError.membership(.refused(.directMessagesOff))
        }
        guard member.contactID == nil else { throw ChatError.membership(.refused(.contactExists)) }
        guard member.status.isActive, member.connection != nil else { throw ChatError.membership(.memberNotActive) }
        let connection = try store.transaction {
            try store.insertConnection(
                of: group.profileID, as: group.membership.isIncognito ? group.membership.profile : nil, status: .new,
                isInitiated: true, link: nil, requestedName: nil, at: now)
        }
        try store.transaction {
            try store.update(
                connection, QuantumResistance(isWanted: false, protectsSent: false, protectsReceived: false))
        }
        do {
            let link = try await makeLink(connection, group.profileID).full.description
            let contactID = try store.transaction {
                try store.update(connection, link: LinkText(full: link, short: nil))
                let contactID = try insertContact(of: member)
                try store.update(connection, contact: contactID)
                try connector.insertBanner(of: try lookup.contact(contactID))
                try store.setMemberInvitation(
                    MemberInvitation(groupID: group.id, memberID: member.id, link: link, isOwn: true), contactID)
                return contactID
            }
            return (try lookup.contact(contactID), try lookup.member(id))
        } catch {
            try connector.forget(connection)
            throw error
        }
    }

    /// The contact that a member becomes, which shares its name.
    private func insertContact(of member: GroupMember) throws -> ContactID {
        try store.free(member.name, in: member.profileID)
        let id = try store.insertContact(member.profile, named: member.name, of: member.profileID, at: now)
        try store.setContact(id, of: member.id)
        return id
    }

    /// Sends the invitation to a contact that was made of a member, perhaps with a message.
    func inviteContact(
        _ contact: Contact, _ content: MessageContent?
    ) throws -> (Contact, Group, GroupMember) {
        guard var invitation = contact.memberInvitation, invitation.isOwn else {
            throw ChatError.membership(.refused(.noInvitation))
        }
        guard !invitation.isSent else { throw ChatError.membership(.refused(.contactInvited)) }
        let group = try lookup.group(invitation.groupID), member = try lookup.member(invitation.memberID)
        guard group.profile.allows(.directMessages, group.membership.role) else {
            throw ChatError.membership(.refused(.directMessagesOff))
        }
        let profile = try lookup.owner(contact.profileID), link = invitation.link
        invitation.isSent = true
        let sent = invitation
        var item: ChatItemID?
        try commit(profile) { consequences in
            try store.setMemberInvitation(sent, contact.id)
            let event = GroupEvent.contactInvitation(
                MemberContactInvitation(connectionLink: link, content: content))
            consequences.messages += try conversations.enqueue(.group(event), to: [member], of: group)
            guard let content else { return }
            let id = try store.insertItem(
                NewItem(
                    content: .message(content), direction: .sent, sharedID: conversations.newSharedID(), time: now),
                in: .direct(contact.id), at: now)
            // It goes with the invitation.
            try store.update(id, status: .sendSent)
            item = id
        }
        if let item { tell(try lookup.locate([try lookup.item(item)]), of: profile) }
        return (try lookup.contact(contact.id), try lookup.group(group.id), try lookup.member(member.id))
    }

    /// A member wants to be a contact.
    func recordContactInvitation(
        _ invitation: MemberContactInvitation, _ message: MemberMessage, _ consequences: inout GroupConsequences
    ) throws {
        let author = message.author, group = message.group
        guard group.profile.allows(.directMessages, author.role) else { throw GroupRefusal.featureOff }
        guard try isForeign(invitation.connectionLink, to: message.profile) else { throw GroupRefusal.subject }
        var working: ConnectionID?
        if let known = try author.contactID.flatMap({ try store.contact($0) }) {
            guard replaces(invitation, known) else { return }
            // One that works is kept: messages of the member may still arrive through it.
            let connections = try store.connections(of: known.id)
            working = try connections.last { try store.connection($0)?.status.canSend == true }
            for id in connections where id != working {
                try store.detachContact(of: id)
                try store.update(id, status: .deleted, at: now)
                // The agent forgot it if the member deleted the contact.
                if try agent.contains(id) { consequences.deletions.append(id) }
            }
            if known.connection != nil { try noteCodeChange(of: known, &consequences) }
            if known.status != .active { try store.update(known.id, status: .active, at: now) }
        }
        let contactID = try author.contactID ?? insertContact(of: author)
        let starts = message.profile.acceptsMembers
        try store.setMemberInvitation(
            MemberInvitation(
                groupID: group.id, memberID: author.id, link: invitation.connectionLink, isOwn: false,
                isSent: starts), contactID)
        // One that works is that of the contact until the user accepts.
        let connection =
            starts || working == nil ? try begin(contactID, invitation.connectionLink, group) : nil
        try connector.insertBanner(of: try lookup.contact(contactID))
        if !starts {
            try note(.contactInvitation(group.profile), of: try lookup.contact(contactID), &consequences)
        }
        if let content = invitation.content {
            consequences.items.append(
                try store.insertReceived(
                    .message(content), from: try lookup.contact(contactID), at: message.time, now: now))
        }
        let member = try lookup.member(author.id)
        try note(.memberCreatedContact, by: member, at: message.time, &consequences.items)
        if starts, let connection {
            consequences.actions.append { [weak self] in try self?.joinContact(connection) }
        }
        consequences.events.append(
            ContactInvitationEvent(
                profile: message.profile, contact: try lookup.contact(contactID), group: try lookup.group(group.id),
                member: member))
    }

    /// Ends the verification of a contact that has another security code now, and tells the user.
    func noteCodeChange(of contact: Contact, _ consequences: inout GroupConsequences) throws {
        try store.noteCodeChange(of: contact.id, at: now)
        try note(.securityCodeChanged, of: contact, &consequences)
    }

    /// Inserts an unread notice into the chat with a contact.
    private func note(
        _ content: ChatItem.Content, of contact: Contact, _ consequences: inout GroupConsequences
    ) throws {
        let notice = try store.insertNotice(content, .received, in: .direct(contact.id), isUnread: true, at: now)
        guard let notice else { return }
        consequences.items.append(LocatedItem(chat: .direct(contact), item: try lookup.item(notice)))
    }

    /// True if an invitation of a member takes the place of what connects the user with it.
    private func replaces(_ invitation: MemberContactInvitation, _ known: Contact) -> Bool {
        if let own = known.memberInvitation, own.isOwn, known.status == .active,
            known.connection.map({ $0.status == .new }) ?? true
        {
            // Both invited each other at once: only the reader of the greater link joins.
            return own.link < invitation.connectionLink
        }
        // The member may have lost the contact. An invitation that came twice is one.
        return known.memberInvitation?.link != invitation.connectionLink
    }

    /// Connects with a member that wants to be a contact.
    func acceptContact(_ contact: Contact) throws -> Contact {
        guard var invitation = contact.memberInvitation, !invitation.isOwn, !invitation.isSent else {
            throw ChatError.membership(.refused(.noInvitation))
        }
        guard try servers.longestAddress(for: contact.profileID) != nil else { throw ChatError.noServer }
        let group = try lookup.group(invitation.groupID)
        invitation.isSent = true
        let started = invitation
        let connection = try store.transaction {
            try store.setMemberInvitation(started, contact.id)
            // Stores of before have no connection yet.
            if let prepared = contact.connection, prepared.status == .prepared { return prepared.id }
            return try begin(contact.id, started.link, group)
        }
        try joinContact(connection)
        return try lookup.contact(contact.id)
    }

    private func begin(_ contact: ContactID, _ link: String, _ group: Group) throws -> ConnectionID {
        let id = try store.insertConnection(
            of: group.profileID, as: group.membership.isIncognito ? group.membership.profile : nil, status: .prepared,
            isInitiated: false, link: link, requestedName: nil, at: now)
        try store.update(id, contact: contact)
        try store.update(id, QuantumResistance(isWanted: false, protectsSent: false, protectsReceived: false))
        return id
    }

    private func joinContact(_ id: ConnectionID) throws {
        guard let connection = try store.connection(id), let text = connection.link,
            let link = try? ConnectionLink(text: text), let profile = try store.profile(connection.profileID)
        else { return }
        try connector.join(connection, link, profile)
    }
}
