import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store

extension ChatStore {
    private static let chatRelayColumns =
        "chat_relay_id, address, profile, domains, is_preset, is_tested, is_enabled, is_deleted"

    /// The chat relays that a profile lists.
    func chatRelays(of id: ProfileID) throws -> [ChatRelay] {
        try database.rows(
            """
            SELECT \(ChatStore.chatRelayColumns) FROM chat_relays WHERE profile_id = ? AND is_deleted = 0
            ORDER BY chat_relay_id
            """, id.number
        ) { row throws(StoreError) in try row.chatRelay() }
    }

    /// One that a profile lists; nil if it lists none with this id.
    func chatRelay(_ id: ChatRelayID, of profileID: ProfileID) throws -> ChatRelay? {
        try chatRelays(of: profileID).first { $0.id == id }
    }

    /// One that a channel uses, listed or not.
    func chatRelay(_ id: ChatRelayID) throws -> ChatRelay? {
        try database.first("SELECT \(ChatStore.chatRelayColumns) FROM chat_relays WHERE chat_relay_id = ?", id.number) {
            row throws(StoreError) in try row.chatRelay()
        }
    }

    /// Adds a chat relay. The one with this address that is not listed any more is listed again, because its channels have it.
    func insert(_ relay: ChatRelay, of id: ProfileID) throws {
        try database.run(
            """
            INSERT INTO chat_relays
                (profile_id, address, profile, domains, is_preset, is_tested, is_enabled, is_deleted)
            VALUES (?, ?, ?, ?, ?, ?, ?, 0)
            ON CONFLICT (profile_id, address) DO UPDATE SET profile = excluded.profile, domains = excluded.domains,
                is_tested = excluded.is_tested, is_enabled = excluded.is_enabled, is_deleted = 0
            """, id.number, relay.text, relay.profile.json.line, relay.domains.joined(separator: ","), relay.isPreset,
            relay.isTested, relay.isEnabled)
    }

    /// Changes all but the address.
    func update(_ relay: ChatRelay) throws {
        try database.run(
            """
            UPDATE chat_relays SET profile = ?, domains = ?, is_tested = ?, is_enabled = ? WHERE chat_relay_id = ?
            """, relay.profile.json.line, relay.domains.joined(separator: ","), relay.isTested, relay.isEnabled,
            relay.id?.number)
    }

    /// Removes a chat relay from the list. It stays while a channel uses it.
    func removeChatRelay(_ id: ChatRelayID) throws {
        try database.run(
            """
            UPDATE chat_relays SET is_deleted = 1
            WHERE chat_relay_id = ? AND EXISTS (SELECT 1 FROM group_relays WHERE group_relays.chat_relay_id = ?)
            """, id.number, id.number)
        guard database.changes == 0 else { return }
        try database.run("DELETE FROM chat_relays WHERE chat_relay_id = ?", id.number)
    }
}

extension Row {
    fileprivate mutating func chatRelay() throws(StoreError) -> ChatRelay {
        let id = ChatRelayID(try int64())
        guard let address = try? ChatRelay.address(text: try text()),
            let profile = try? RelayProfile(decoding: Bytes(try text().utf8))
        else { throw StoreError(.damaged) }
        let domains = try text().split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let isPreset = try bool(), isTested = try optional { row throws(StoreError) in try row.bool() }
        let isEnabled = try bool()
        return ChatRelay(
            id: id, address, profile, domains: domains, isPreset: isPreset, isTested: isTested, isEnabled: isEnabled,
            isDeleted: try bool())
    }
}

/// The relays of the channels that the user made.
extension ChatStore {
    func insertGroupRelay(_ relay: ChatRelayID, _ member: GroupMemberID, of id: GroupID) throws {
        try database.run(
            "INSERT INTO group_relays (group_id, member_id, chat_relay_id, status) VALUES (?, ?, ?, ?)", id.number,
            member.number, relay.number, RelayStatus.invited.rawValue)
    }

    /// The relays of a channel, in the order in which they were added.
    func groupRelays(of id: GroupID) throws -> [GroupRelay] {
        try groupRelays("group_id = ?", id.number)
    }

    /// The relay that a member of a channel is.
    func groupRelay(of member: GroupMemberID) throws -> GroupRelay? {
        try groupRelays("member_id = ?", member.number).first
    }

    /// The relays that have accepted, and whose links the user has not read.
    func unreadGroupRelays() throws -> [GroupMemberID] {
        try database.rows(
            "SELECT member_id FROM group_relays WHERE link IS NOT NULL AND status = ?", RelayStatus.invited.rawValue
        ) { row throws(StoreError) in GroupMemberID(try row.int64()) }
    }

    private func groupRelays(_ condition: String, _ value: Int64) throws -> [GroupRelay] {
        try database.rows(
            """
            SELECT group_relay_id, member_id, group_relays.status, group_relays.link, web_domain,
                \(ChatStore.chatRelayColumns)
            FROM group_relays JOIN chat_relays USING (chat_relay_id) WHERE \(condition) ORDER BY group_relay_id
            """, value
        ) { row throws(StoreError) in
            let id = GroupRelayID(try row.int64()), member = GroupMemberID(try row.int64())
            let status: RelayStatus = try row.word()
            let link = try row.optional { row throws(StoreError) in try row.text() }
            let webDomain = try row.optional { row throws(StoreError) in try row.text() }
            return GroupRelay(id, member, try row.chatRelay(), status, link: link, webDomain: webDomain)
        }
    }

    func update(_ id: GroupRelayID, status: RelayStatus) throws {
        try database.run("UPDATE group_relays SET status = ? WHERE group_relay_id = ?", status.rawValue, id.number)
    }

    /// Notes the link of a relay that accepted.
    func update(_ id: GroupRelayID, link: String) throws {
        try database.run("UPDATE group_relays SET link = ? WHERE group_relay_id = ?", link, id.number)
    }

    func update(_ id: GroupRelayID, webDomain: String?) throws {
        try database.run("UPDATE group_relays SET web_domain = ? WHERE group_relay_id = ?", webDomain, id.number)
    }

    /// Takes a relay out of its channel. The chat relay that is not listed any more goes with its last channel.
    func removeGroupRelay(_ id: GroupRelayID) throws {
        try database.run("DELETE FROM group_relays WHERE group_relay_id = ?", id.number)
        try database.run(
            """
            DELETE FROM chat_relays
            WHERE is_deleted = 1 AND chat_relay_id NOT IN (SELECT chat_relay_id FROM group_relays)
            """)
    }

    /// The number of members of a channel that are no relays, with the user.
    func publicMemberCount(of id: GroupID) throws -> Int64 {
        let current = GroupMember.Status.allCases.filter(\.isCurrent).map { "'\($0.rawValue)'" }
        return try database.first(
            """
            SELECT count(*) FROM group_members
            WHERE group_id = ? AND role != 'relay' AND status IN (\(current.joined(separator: ", ")))
            """, id.number
        ) { row throws(StoreError) in try row.int64() } ?? 0
    }

    /// The members of a channel that stand in its roster.
    func rosterEntries(of id: GroupID) throws -> [(member: GroupMemberID, entry: Roster.Entry)] {
        let current = GroupMember.Status.allCases.filter(\.isCurrent).map { "'\($0.rawValue)'" }
        let roles = Roster.roles.map { "'\($0.rawValue)'" }.sorted()
        return try database.rows(
            """
            SELECT group_member_id, member_id, public_key, role FROM group_members
            WHERE group_id = ? AND public_key IS NOT NULL AND category != 'user'
                AND role IN (\(roles.joined(separator: ", "))) AND status IN (\(current.joined(separator: ", ")))
            ORDER BY group_member_id
            """, id.number
        ) { row throws(StoreError) in
            let member = GroupMemberID(try row.int64())
            guard let id = MemberID(try row.bytes()) else { throw StoreError(.damaged) }
            let key = try row.bytes()
            return (member, Roster.Entry(id, key: key, role: GroupRole(rawValue: try row.text())))
        }
    }
}

extension ChatStore {
    /// The relays that were let in, and are not connected yet.
    func acceptedGroupRelays() throws -> [GroupMemberID] {
        try database.rows("SELECT member_id FROM group_relays WHERE status = ?", RelayStatus.accepted.rawValue) {
            row throws(StoreError) in GroupMemberID(try row.int64())
        }
    }
}
