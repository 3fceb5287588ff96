import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store

/// What only the life of groups needs of the database.
extension ChatStore {
    // MARK: - Groups

    /// All groups of a profile by name.
    func groups(of id: ProfileID) throws -> [Group] {
        try chats(of: id).compactMap(\.group).sorted { $0.name < $1.name }
    }

    /// The link of an invitation that the user has not accepted; nil for none.
    func setInvitation(_ link: String?, of id: GroupID) throws {
        try database.run("UPDATE groups SET invitation = ? WHERE group_id = ?", link, id.number)
    }

    func invitation(of id: GroupID) throws -> String? {
        try database.first("SELECT invitation FROM groups WHERE group_id = ?", id.number) { row throws(StoreError) in
            try row.optional { row throws(StoreError) in try row.text() }
        } ?? nil
    }

    /// The group to which an invitation with a link leads.
    func group(invitedWith link: String, of id: ProfileID) throws -> GroupID? {
        try database.first(
            "SELECT group_id FROM groups WHERE profile_id = ? AND invitation = ? ORDER BY group_id DESC", id.number,
            link
        ) { row throws(StoreError) in GroupID(try row.int64()) }
    }

    /// How many invitations of a contact the user has not accepted.
    func invitationCount(of id: ContactID) throws -> Int {
        try database.first(
            """
            SELECT count(*) FROM groups JOIN group_members USING (group_id)
            WHERE invitation IS NOT NULL AND contact_id = ? AND category = 'host'
            """, id.number
        ) { row throws(StoreError) in try row.count() } ?? 0
    }

    func setBusiness(_ business: BusinessChatInfo?, _ id: GroupID) throws {
        try database.run("UPDATE groups SET business = ? WHERE group_id = ?", business?.json.line, id.number)
    }

    /// The groups of a profile whose links exist.
    func groupsWithLinks(of id: ProfileID) throws -> [GroupID] {
        try database.rows(
            "SELECT group_id FROM group_links JOIN groups USING (group_id) WHERE profile_id = ? ORDER BY group_id",
            id.number
        ) { row throws(StoreError) in GroupID(try row.int64()) }
    }

    /// The groups that were prepared and not joined.
    func preparedGroups(of id: ProfileID) throws -> [GroupID] {
        try database.rows(
            "SELECT group_id FROM groups WHERE profile_id = ? AND prepared IS NOT NULL ORDER BY group_id DESC",
            id.number
        ) { row throws(StoreError) in GroupID(try row.int64()) }
    }

    // MARK: - Members

    /// The first members that were introduced and have no link yet.
    func introducedMembers(_ count: Int) throws -> [GroupMemberID] {
        try database.rows(
            """
            SELECT group_member_id FROM group_members JOIN connections ON connections.member_id = group_member_id
            WHERE category = 'pre' AND group_members.status = 'introduced' AND connections.status = 'new'
            ORDER BY 1 LIMIT ?
            """, count
        ) { row throws(StoreError) in GroupMemberID(try row.int64()) }
    }

    /// The connections with members in a status.
    func memberConnections(_ status: ContactConnection.Status) throws -> [ConnectionID] {
        try database.rows(
            "SELECT connection_id FROM connections WHERE member_id IS NOT NULL AND status = ? ORDER BY connection_id",
            status.rawValue
        ) { row throws(StoreError) in ConnectionID(try row.int64()) }
    }

    /// The connections with the members of a group that were not deleted.
    func connections(of id: GroupID) throws -> [ConnectionID] {
        try database.rows(
            """
            SELECT connection_id FROM connections JOIN group_members ON group_member_id = connections.member_id
            WHERE group_id = ? AND connections.status != 'deleted' ORDER BY connection_id
            """, id.number
        ) { row throws(StoreError) in ConnectionID(try row.int64()) }
    }

    /// The member that was let in for a request with a key at a link.
    func member(forRequest key: Bytes, in id: GroupID) throws -> GroupMemberID? {
        try database.first(
            """
            SELECT connections.member_id FROM connections JOIN group_members ON group_member_id = connections.member_id
            WHERE group_id = ? AND request_key = ? AND connections.status NOT IN ('deleted', 'failed')
            ORDER BY connection_id DESC
            """, id.number, key
        ) { row throws(StoreError) in GroupMemberID(try row.int64()) }
    }

    /// The group that was made for a request with a key at a business address.
    func group(forRequest key: Bytes, at address: ConnectionID) throws -> GroupID? {
        try database.first(
            """
            SELECT group_id FROM connections JOIN group_members ON group_member_id = connections.member_id
            WHERE request_key = ? AND address_id = ? AND connections.status NOT IN ('deleted', 'failed')
            ORDER BY connection_id DESC
            """, key, address.number
        ) { row throws(StoreError) in GroupID(try row.int64()) }
    }

    /// How many members came through the links of a profile since a time.
    func membersMade(of id: ProfileID, since time: Timestamp) throws -> Int {
        try database.first(
            """
            SELECT count(*) FROM connections WHERE profile_id = ? AND member_id IS NOT NULL AND address_id IS NOT NULL
                AND created_at > ?
            """, id.number, time
        ) { row throws(StoreError) in try row.count() } ?? 0
    }

    /// The profile that was made up for the user in a group.
    func setIncognito(_ profile: Profile, _ id: GroupMemberID) throws {
        try database.run(
            "UPDATE group_members SET is_incognito = 1, name = ?, profile = ? WHERE group_member_id = ?",
            profile.displayName, profile.json.line, id.number)
    }

    /// Takes a connection away from the contact that was expected.
    func detachContact(of id: ConnectionID) throws {
        try database.run("UPDATE connections SET contact_id = NULL WHERE connection_id = ?", id.number)
    }

    func setAddress(_ address: ConnectionID?, of id: ConnectionID) throws {
        try database.run(
            "UPDATE connections SET address_id = ? WHERE connection_id = ?", address?.number, id.number)
    }

    /// Lets a connection go without its member, so that the agent can still be told to delete it.
    func releaseConnections(of id: GroupID, at time: Timestamp) throws {
        try database.run(
            """
            UPDATE connections SET status = 'deleted', member_id = NULL, updated_at = ? WHERE member_id IN
                (SELECT group_member_id FROM group_members WHERE group_id = ?)
            """, time, id.number)
    }

    func releaseConnections(of id: GroupMemberID, at time: Timestamp) throws {
        try database.run(
            "UPDATE connections SET status = 'deleted', member_id = NULL, updated_at = ? WHERE member_id = ?", time,
            id.number)
    }

    // MARK: - Entries

    /// What an entry says now.
    func setContent(_ content: ChatItem.Content, of id: ChatItemID) throws {
        try database.run("UPDATE items SET content = ? WHERE item_id = ?", content.text, id.number)
    }

    /// The newest entry about an invitation to a group.
    func invitationItem(_ direction: ChatItem.Direction, to id: GroupID, _ member: GroupMemberID?) throws -> ChatItem? {
        try database.rows(
            "\(ChatStore.itemQuery) WHERE items.kind = 'group-invitation' AND direction = ? ORDER BY item_id DESC",
            direction.rawValue
        ) { row throws(StoreError) in try row.item() }.first { item in
            guard case .groupInvitation(let invitation) = item.content, invitation.groupID == id else { return false }
            return member == nil || invitation.memberID == member
        }
    }

    /// An entry about something that happened in a group.
    struct NewGroupNotice {
        var content: ChatItem.Content
        var direction: ChatItem.Direction
        var author: GroupMemberID?
        /// The member in whose conversation with the moderators it stands.
        var support: GroupMemberID?
        var isUnread = false
        var sharedID: SharedMessageID?
        /// True for a notice of a channel itself.
        var isFromGroup = false
        /// What is known of the signature of the event.
        var signature: SignatureStatus?
        var time: Timestamp
    }

    /// Appends a notice to a group; nil if it has enough of it already.
    func insert(_ notice: NewGroupNotice, in id: GroupID, at now: Timestamp) throws -> ChatItemID? {
        guard
            let item = try insertNotice(
                notice.content, notice.direction, in: .group(id),
                isUnread: notice.isUnread && notice.support == nil, at: now)
        else { return nil }
        try database.run(
            """
            UPDATE items SET author_id = ?, support_id = ?, shared_id = ?, time = ?, is_from_group = ?, signature = ?
            WHERE item_id = ?
            """, notice.author?.number, notice.support?.number, notice.sharedID?.bytes, notice.time,
            notice.isFromGroup, notice.signature?.rawValue, item.number)
        if let support = notice.support {
            try database.run(
                "UPDATE group_members SET support_active_at = ? WHERE group_member_id = ?", now, support.number)
            if notice.isUnread { try update(item, status: .receivedNew) }
            try recount(.group(id))
        }
        return item
    }
}
