import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store

extension ChatStore {
    /// The security code of a member's connection that the user has compared.
    func verifiedCode(of id: ConnectionID) throws -> String? { try sessionValue("verified-member:\(id.number)") }

    func setVerifiedCode(_ code: String?, of id: ConnectionID) throws {
        try setSessionValue("verified-member:\(id.number)", code)
    }

    /// What ``Row/member()`` reads, of `group_members` under any name.
    ///
    /// - Parameter profile: Where the number of the profile is.
    static func memberColumns(of table: String, profile: String) -> [String] {
        let columns = memberColumnNames.map { "\(table).\($0)" }
        return columns.prefix(2) + [profile] + columns.dropFirst(2)
    }

    private static let memberColumnNames = [
        "group_member_id", "group_id", "member_id", "role", "category", "status", "name", "profile", "contact_id",
        "invited_by", "is_invited_by_user", "shows_messages", "is_blocked", "versions", "support_active_at",
        "support_unread", "support_attention", "support_mentions", "support_member_at", "created_at", "updated_at",
        "is_incognito", "public_key", "relay_link",
    ]

    /// How many columns ``Row/member()`` reads.
    static let memberColumnCount = memberColumnNames.count + 1

    /// A member in a single column, for a query of entries: JSON with what ``memberColumns(of:profile:)`` names. NULL for
    /// no member.
    ///
    /// - Parameter id: The number of the member, or NULL.
    static func storedMember(_ id: String) -> String {
        let columns = memberColumns(of: "stored", profile: "chats.profile_id").map {
            switch $0 {
            case "stored.member_id": "hex(\($0))"
            case "stored.public_key": "iif(\($0) IS NULL, NULL, hex(\($0)))"
            default: $0
            }
        }
        return """
            iif(\(id) IS NULL, NULL, (SELECT json_array(\(columns.joined(separator: ", ")))
                FROM group_members AS stored WHERE stored.group_member_id = \(id)))
            """
    }

    private static let memberQuery = """
        SELECT \(memberColumns(of: "group_members", profile: "homes.profile_id").joined(separator: ", ")),
            \(connectionColumns)
        FROM group_members JOIN groups AS homes ON homes.group_id = group_members.group_id
        LEFT JOIN connections ON connections.connection_id =
            (SELECT max(connection_id) FROM connections AS all_connections
             WHERE all_connections.member_id = group_members.group_member_id)
        """

    /// A member with its connection.
    func member(_ id: GroupMemberID) throws -> GroupMember? {
        try members("group_members.group_member_id = ?", id.number).first
    }

    /// A member by the id that all members know it by.
    func member(_ id: MemberID, in group: GroupID) throws -> GroupMember? {
        try database.first(
            "\(ChatStore.memberQuery) WHERE group_members.group_id = ? AND group_members.member_id = ?", group.number,
            id.bytes
        ) { row throws(StoreError) in try row.connectedMember() }
    }

    /// The members that have or had a name in a group, the oldest first: a contact that left and joined again has one name.
    func members(named name: String, in group: GroupID) throws -> [GroupMember] {
        try database.rows(
            """
            \(ChatStore.memberQuery) WHERE group_members.group_id = ? AND group_members.name = ?
            ORDER BY group_members.group_member_id
            """, group.number, name
        ) { row throws(StoreError) in try row.connectedMember() }
    }

    /// The other members of a group, with their connections, in the order in which they became known.
    func members(of id: GroupID) throws -> [GroupMember] {
        try members("group_members.group_id = ? AND group_members.category != 'user'", id.number)
    }

    /// The memberships of a contact in groups.
    func memberships(of id: ContactID) throws -> [GroupMember] {
        try members("group_members.contact_id = ?", id.number)
    }

    /// The statuses of members that belong to a group, as a list for SQL.
    static let belongingStatuses = GroupMember.Status.allCases.filter(\.isCurrent).map { "'\($0.rawValue)'" }
        .joined(separator: ", ")

    /// The number of members that belong to a group, with the user.
    func memberCount(of id: GroupID) throws -> Int {
        try database.first(
            "SELECT count(*) FROM group_members WHERE group_id = ? AND status IN (\(ChatStore.belongingStatuses))",
            id.number
        ) { row throws(StoreError) in try row.int() } ?? 0
    }

    /// True if a group has at least a number of members that are not gone, whatever else is known of them.
    func hasMembers(_ count: Int, in id: GroupID) throws -> Bool {
        func has(_ condition: String) throws -> Bool {
            try database.first(
                "SELECT 1 FROM group_members WHERE group_id = ? \(condition) LIMIT 1 OFFSET ?", id.number, count - 1
            ) { _ in true } ?? false
        }
        // The first query reads an index only, and suffices for nearly all groups.
        guard try has("") else { return false }
        let gone = GroupMember.Status.allCases.filter(\.isGone).map { "'\($0.rawValue)'" }
        return try has("AND status NOT IN (\(gone.joined(separator: ", ")))")
    }

    /// True if a group has another member of a role above one, with which the user is connected.
    func hasConnectedMember(above role: GroupRole, in id: GroupID) throws -> Bool {
        let roles = GroupRole.known.filter { $0 > role }.map { "'\($0.rawValue)'" }
        return try database.first(
            """
            SELECT 1 FROM group_members WHERE group_id = ? AND category != 'user'
                AND status IN ('connected', 'complete') AND role IN (\(roles.joined(separator: ", "))) LIMIT 1
            """, id.number
        ) { _ in true } ?? false
    }

    private func members(_ condition: String, _ value: Int64) throws -> [GroupMember] {
        try database.rows("\(ChatStore.memberQuery) WHERE \(condition) ORDER BY group_members.group_member_id", value) {
            row throws(StoreError) in try row.connectedMember()
        }
    }

    /// A member that is new here.
    struct NewMember {
        var groupID: GroupID
        var memberID: MemberID
        var role: GroupRole
        var category: GroupMember.Category
        var status: GroupMember.Status
        var name: String
        var profile: Profile
        var contactID: ContactID?
        var inviter: GroupMember.Inviter
        var versions: VersionRange
        var isIncognito = false
    }

    /// Inserts a member. Its name has to be taken before if it is not that of its contact.
    func insertMember(_ member: NewMember, at time: Timestamp) throws -> GroupMemberID {
        var inviterID: Int64?
        if case .member(let id) = member.inviter { inviterID = id.number }
        try database.run(
            """
            INSERT INTO group_members (group_id, member_id, role, category, status, name, profile, contact_id, invited_by,
                is_invited_by_user, versions, is_incognito, created_at, updated_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, member.groupID.number, member.memberID.bytes, member.role.rawValue, member.category.rawValue,
            member.status.rawValue, member.name, member.profile.json.line, member.contactID?.number, inviterID,
            member.inviter == .user, member.versions.description, member.isIncognito, time, time)
        return GroupMemberID(database.lastInsertedID)
    }

    /// Removes a member with its connection and what it wrote.
    func removeMember(_ id: GroupMemberID) throws {
        try database.run("DELETE FROM group_members WHERE group_member_id = ?", id.number)
    }

    func update(_ id: GroupMemberID, status: GroupMember.Status, at time: Timestamp) throws {
        try database.run(
            "UPDATE group_members SET status = ?, updated_at = ? WHERE group_member_id = ?", status.rawValue, time,
            id.number)
    }

    func update(_ id: GroupMemberID, role: GroupRole, at time: Timestamp) throws {
        try database.run(
            "UPDATE group_members SET role = ?, updated_at = ? WHERE group_member_id = ?", role.rawValue, time,
            id.number)
    }

    func update(_ id: GroupMemberID, profile: Profile, name: String, at time: Timestamp) throws {
        try database.run(
            "UPDATE group_members SET profile = ?, name = ?, updated_at = ? WHERE group_member_id = ?",
            profile.json.line, name, time, id.number)
    }

    func update(_ id: GroupMemberID, memberID: MemberID) throws {
        try database.run("UPDATE group_members SET member_id = ? WHERE group_member_id = ?", memberID.bytes, id.number)
    }

    func update(_ id: GroupMemberID, versions: VersionRange) throws {
        try database.run(
            "UPDATE group_members SET versions = ? WHERE group_member_id = ?", versions.description, id.number)
    }

    /// Keeps the key of a member, unless one is known: the first one counts.
    ///
    /// - Parameter key: The DER form of an Ed25519 key.
    func setPublicKey(_ key: Bytes, of id: GroupMemberID) throws {
        try database.run(
            "UPDATE group_members SET public_key = ? WHERE group_member_id = ? AND public_key IS NULL", key, id.number)
    }

    /// The DER form of the key of a member; nil if none is known.
    func publicKey(of id: GroupMemberID) throws -> Bytes? {
        try database.first("SELECT public_key FROM group_members WHERE group_member_id = ?", id.number) {
            row throws(StoreError) in try row.optional { row throws(StoreError) in try row.bytes() }
        } ?? nil
    }

    func update(_ id: GroupMemberID, category: GroupMember.Category) throws {
        try database.run(
            "UPDATE group_members SET category = ? WHERE group_member_id = ?", category.rawValue, id.number)
    }

    func setInviter(_ inviter: GroupMemberID?, of id: GroupMemberID) throws {
        try database.run(
            "UPDATE group_members SET invited_by = ? WHERE group_member_id = ?", inviter?.number, id.number)
    }

    func setContact(_ contact: ContactID?, of id: GroupMemberID) throws {
        try database.run(
            "UPDATE group_members SET contact_id = ? WHERE group_member_id = ?", contact?.number, id.number)
    }

    func setShowsMessages(_ shows: Bool, of id: GroupMemberID) throws {
        try database.run("UPDATE group_members SET shows_messages = ? WHERE group_member_id = ?", shows, id.number)
    }

    func setBlockedForAll(_ isBlocked: Bool, _ id: GroupMemberID, at time: Timestamp) throws {
        try database.run(
            "UPDATE group_members SET is_blocked = ?, updated_at = ? WHERE group_member_id = ?", isBlocked, time,
            id.number)
    }

    func update(_ id: ConnectionID, member: GroupMemberID) throws {
        try database.run("UPDATE connections SET member_id = ? WHERE connection_id = ?", member.number, id.number)
    }
}

extension Row {
    /// A member with the columns of a connection behind it.
    fileprivate mutating func connectedMember() throws(StoreError) -> GroupMember {
        var member = try member()
        member.connection = try optional { row throws(StoreError) in try row.connection() }
        return member
    }

    /// A member without its connection.
    mutating func member() throws(StoreError) -> GroupMember {
        try groupMember()
    }

    /// A member of ``ChatStore/storedMember(_:)``.
    mutating func storedMember() throws(StoreError) -> GroupMember {
        guard let values = (try? JSONValue(decoding: Bytes(try text().utf8)))?.array else {
            throw StoreError(.damaged)
        }
        var columns = StoredColumns(values: values[...])
        return try columns.groupMember()
    }
}

/// The columns of a member: those of a row, or JSON.
private protocol MemberColumns: ~Copyable {
    mutating func int64() throws(StoreError) -> Int64
    mutating func text() throws(StoreError) -> String
    mutating func bytes() throws(StoreError) -> Bytes
    func isNull() throws(StoreError) -> Bool
    mutating func skip(_ count: Int)
}

extension Row: MemberColumns {}

private struct StoredColumns: MemberColumns {
    var values: ArraySlice<JSONValue>

    mutating func int64() throws(StoreError) -> Int64 {
        guard let number = values.popFirst()?.integer else { throw StoreError(.damaged) }
        return number
    }

    mutating func text() throws(StoreError) -> String {
        guard let text = values.popFirst()?.string else { throw StoreError(.damaged) }
        return text
    }

    mutating func bytes() throws(StoreError) -> Bytes {
        guard let bytes = try? Hex.decode(try text()) else { throw StoreError(.damaged) }
        return bytes
    }

    func isNull() throws(StoreError) -> Bool {
        guard let first = values.first else { throw StoreError(.damaged) }
        return first == .null
    }

    mutating func skip(_ count: Int) {
        values = values.dropFirst(count)
    }
}

extension MemberColumns where Self: ~Copyable {
    fileprivate mutating func groupMember() throws(StoreError) -> GroupMember {
        let id = GroupMemberID(try int64())
        let groupID = GroupID(try int64())
        let profileID = ProfileID(try int64())
        guard let memberID = MemberID(try bytes()) else { throw StoreError(.damaged) }
        let role = GroupRole(rawValue: try text())
        guard let category = GroupMember.Category(rawValue: try text()),
            let status = GroupMember.Status(rawValue: try text())
        else { throw StoreError(.damaged) }
        let name = try text()
        let profile = StoredProfile(text: try text())
        let contactID = try optionalNumber().map { ContactID($0) }
        let inviterID = try optionalNumber().map { GroupMemberID($0) }
        let isInvitedByUser = try isSet()
        let showsMessages = try isSet()
        let isBlockedForAll = try isSet()
        guard let versions = try? VersionRange(text: try text()) else { throw StoreError(.damaged) }
        let supportActiveAt = try optionalNumber().map { Timestamp(milliseconds: $0) }
        let supportUnread = try number()
        let supportAttention = try number()
        let supportMentions = try number()
        let supportMemberAt = try optionalNumber().map { Timestamp(milliseconds: $0) }
        let createdAt = Timestamp(milliseconds: try int64())
        let updatedAt = Timestamp(milliseconds: try int64())
        let isIncognito = try isSet()
        let supportChat = supportActiveAt.map {
            GroupMember.SupportChat(
                activeAt: $0, unreadCount: supportUnread, attentionCount: supportAttention,
                mentionCount: supportMentions, memberWroteAt: supportMemberAt)
        }
        let publicKey = try optionalBytes(), relayLink = try optionalString()
        var member = GroupMember(
            id: id, groupID: groupID, profileID: profileID, memberID: memberID, role: role, category: category,
            status: status, name: name, storedProfile: profile, contactID: contactID,
            inviter: isInvitedByUser ? .user : inviterID.map { .member($0) } ?? .unknown, showsMessages: showsMessages,
            isBlockedForAll: isBlockedForAll, versions: versions, supportChat: supportChat, createdAt: createdAt,
            updatedAt: updatedAt)
        member.isIncognito = isIncognito
        member.publicKey = publicKey
        member.relayLink = relayLink
        return member
    }

    private mutating func optionalBytes() throws(StoreError) -> Bytes? {
        guard try !isNull() else {
            skip(1)
            return nil
        }
        return try bytes()
    }

    private mutating func optionalString() throws(StoreError) -> String? {
        guard try !isNull() else {
            skip(1)
            return nil
        }
        return try text()
    }

    private mutating func optionalNumber() throws(StoreError) -> Int64? {
        guard try !isNull() else {
            skip(1)
            return nil
        }
        return try int64()
    }

    /// As ``Row/bool()``.
    private mutating func isSet() throws(StoreError) -> Bool {
        switch try int64() {
        case 0: false
        case 1: true
        default: throw StoreError(.damaged)
        }
    }

    /// As ``Row/count()``.
    private mutating func number() throws(StoreError) -> Int {
        Int(min(max(try int64(), 0), Int64(Int32.max)))
    }
}
