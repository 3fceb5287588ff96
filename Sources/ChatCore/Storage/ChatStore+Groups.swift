import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store

extension ChatStore {
    /// What ``Row/group(_:)`` reads, of `groups` and its chat, besides the columns that all chats have.
    static let groupColumns =
        [
            "groups.profile", "chats.unread_mentions", "groups.alias", "groups.notifications", "groups.sends_receipts",
            "groups.business", "groups.prepared", "groups.profile_sent_at",
            """
            (SELECT count(*) FROM group_members AS attending WHERE attending.group_id = groups.group_id
                AND (attending.status = 'pending_review' OR attending.support_attention > 0))
            """,
            """
            (SELECT count(*) FROM items AS reports
             WHERE reports.chat_id = chats.chat_id AND reports.is_report = 1 AND reports.deleted_at IS NULL)
            """,
            """
            (SELECT count(*) FROM group_members AS belonging
             WHERE belonging.group_id = groups.group_id AND belonging.status IN (\(belongingStatuses)))
            """,
            """
            (SELECT joining.link FROM group_members AS hosts
             JOIN connections AS joining ON joining.member_id = hosts.group_member_id
             WHERE hosts.group_id = groups.group_id AND hosts.category = 'host' AND joining.link GLOB 'simplex:/contact*'
             ORDER BY joining.connection_id DESC LIMIT 1)
            """,
            "groups.public_id", "groups.root_key", "groups.root_private_key IS NOT NULL", "groups.relay_status",
            "groups.public_member_count", "groups.roster_gate", "groups.roster_version",
        ] + memberColumns(of: "group_members", profile: "chats.profile_id")

    /// The user as a member of `groups`.
    static let membership = "LEFT JOIN group_members ON group_members.group_member_id = groups.membership_id"

    func group(_ id: GroupID) throws -> Group? {
        try chat(.group(id))?.group
    }

    /// The group that the user joined, or asked to join, through the link with an id.
    func group(throughLink id: Bytes, of profile: ProfileID) throws -> GroupID? {
        try database.first(
            "SELECT group_id FROM groups WHERE profile_id = ? AND link_id = ? ORDER BY group_id DESC", profile.number,
            id
        ) { row throws(StoreError) in GroupID(try row.int64()) }
    }

    /// Inserts a group without its membership, which has to follow within the transaction.
    func insertGroup(
        _ profile: GroupProfile, named name: String, of id: ProfileID, business: BusinessChatInfo? = nil,
        at time: Timestamp
    ) throws -> GroupID {
        try take(name, in: id)
        try database.run(
            """
            INSERT INTO groups (profile_id, name, profile, business, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)
            """, id.number, name, profile.json.line, business?.json.line, time, time)
        let groupID = GroupID(database.lastInsertedID)
        try database.run(
            "INSERT INTO chats (profile_id, group_id, active_at) VALUES (?, ?, ?)", id.number, groupID.number, time)
        return groupID
    }

    func setMembership(_ member: GroupMemberID, of id: GroupID) throws {
        try database.run("UPDATE groups SET membership_id = ? WHERE group_id = ?", member.number, id.number)
    }

    /// Removes a group with all that belongs to it. Frees its name and those of members that are no contacts.
    func removeGroup(_ group: Group) throws {
        let members = try database.rows(
            "SELECT name FROM group_members WHERE group_id = ? AND contact_id IS NULL AND category != 'user'",
            group.id.number
        ) { row throws(StoreError) in try row.text() }
        for name in members + [group.name] { try free(name, in: group.profileID) }
        try database.run("DELETE FROM groups WHERE group_id = ?", group.id.number)
    }

    /// Changes what a group says about itself, and its local name.
    func update(_ id: GroupID, profile: GroupProfile, name: String, at time: Timestamp) throws {
        try database.run(
            "UPDATE groups SET profile = ?, name = ?, updated_at = ? WHERE group_id = ?", profile.json.line, name, time,
            id.number)
    }

    func setAlias(_ alias: String, _ id: GroupID) throws {
        try database.run("UPDATE groups SET alias = ? WHERE group_id = ?", alias, id.number)
    }

    func setNotifications(_ notifications: Group.Notifications, _ id: GroupID) throws {
        try database.run(
            "UPDATE groups SET notifications = ? WHERE group_id = ?", notifications.rawValue, id.number)
    }

    func setSendsReceipts(_ sends: Bool?, _ id: GroupID) throws {
        try database.run("UPDATE groups SET sends_receipts = ? WHERE group_id = ?", sends, id.number)
    }

    func setPrepared(_ prepared: PreparedGroup?, _ id: GroupID) throws {
        try database.run("UPDATE groups SET prepared = ? WHERE group_id = ?", prepared?.json.line, id.number)
    }

    func setLinkID(_ link: Bytes?, _ id: GroupID) throws {
        try database.run("UPDATE groups SET link_id = ? WHERE group_id = ?", link, id.number)
    }

    func setProfileSent(_ id: GroupID, at time: Timestamp) throws {
        try database.run("UPDATE groups SET profile_sent_at = ? WHERE group_id = ?", time, id.number)
    }

    // MARK: - Group links

    func groupLink(of id: GroupID) throws -> GroupLink? {
        try groupLink("group_id", id.number)
    }

    /// The group link that a connection is the queue of.
    func groupLink(at id: ConnectionID) throws -> GroupLink? {
        try groupLink("connection_id", id.number)
    }

    private func groupLink(_ column: String, _ value: Int64) throws -> GroupLink? {
        try database.first(
            """
            SELECT group_id, connection_id, connections.link, connections.short_link, link_id, role, group_links.created_at
            FROM group_links JOIN connections USING (connection_id) WHERE \(column) = ?
            """, value
        ) { row throws(StoreError) in
            let groupID = GroupID(try row.int64()), connectionID = ConnectionID(try row.int64())
            let full = try row.text()
            let short = try row.optional { row throws(StoreError) in try row.text() }
            return GroupLink(
                groupID: groupID, connectionID: connectionID, link: LinkText(full: full, short: short),
                id: try row.bytes(), role: GroupRole(rawValue: try row.text()), createdAt: try row.timestamp())
        }
    }

    func insertGroupLink(
        _ connection: ConnectionID, _ link: Bytes, _ role: GroupRole, of id: GroupID, at time: Timestamp
    ) throws {
        try database.run(
            "INSERT INTO group_links (group_id, connection_id, link_id, role, created_at) VALUES (?, ?, ?, ?, ?)",
            id.number, connection.number, link, role.rawValue, time)
    }

    func setLinkRole(_ role: GroupRole, of id: GroupID) throws {
        try database.run("UPDATE group_links SET role = ? WHERE group_id = ?", role.rawValue, id.number)
    }

    func removeGroupLink(of id: GroupID) throws {
        try database.run("DELETE FROM group_links WHERE group_id = ?", id.number)
    }
}

extension Row {
    /// A group, after the columns that all chats have.
    ///
    /// - Parameter common: Makes the group of what this reads and what the caller has read.
    mutating func group(
        _ id: GroupID, _ profileID: ProfileID, name: String, unreadCount: Int, createdAt: Timestamp,
        updatedAt: Timestamp, activeAt: Timestamp?
    ) throws(StoreError) -> Group {
        let profile = StoredGroupProfile(text: try text())
        let unreadMentions = try count()
        let alias = try text()
        let notifications: Group.Notifications = try word()
        let sendsReceipts = try optional { row throws(StoreError) in try row.bool() }
        let business = try optional { row throws(StoreError) in try row.value(BusinessChatInfo.self) }
        let prepared = try optional { row throws(StoreError) in try row.value(PreparedGroup.self) }
        let profileSentAt = try optional { row throws(StoreError) in try row.timestamp() }
        let attentionCount = try count()
        let reportCount = try count()
        let memberCount = try count()
        let link = try optionalText()
        let channel = try channel()
        var group = Group(
            id: id, profileID: profileID, name: name, storedProfile: profile, membership: try member(),
            unreadCount: unreadCount, createdAt: createdAt, updatedAt: updatedAt, activeAt: activeAt)
        group.unreadMentions = unreadMentions
        group.alias = alias
        group.notifications = notifications
        group.sendsReceipts = sendsReceipts
        group.business = business
        group.prepared = prepared
        group.profileSentAt = profileSentAt
        group.attentionCount = attentionCount
        group.reportCount = reportCount
        group.memberCount = memberCount
        group.joinedLink = link
        group.channel = channel
        return group
    }

    /// A value that is stored as JSON.
    mutating func value<Value: JSONObjectCodable>(_ type: Value.Type) throws(StoreError) -> Value {
        guard let value = try? Value(decoding: Bytes(try text().utf8)) else { throw StoreError(.damaged) }
        return value
    }
}
