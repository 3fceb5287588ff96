import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import Store

/// Channels: their keys, statuses and rosters (network-7.md 9).
extension ChatStore {
    /// Makes a group a channel.
    ///
    /// - Parameters:
    ///   - rootKey: The DER form of the root key of its link.
    ///   - root: The private root key, for the user that made the channel.
    ///   - key: The private key of the user as a member.
    func setChannel(
        _ publicID: Bytes, rootKey: Bytes?, root: Ed25519.PrivateKey? = nil, key: Ed25519.PrivateKey, of id: GroupID
    ) throws {
        try database.run(
            """
            UPDATE groups SET public_id = ?, root_key = ?, root_private_key = ?, member_private_key = ? WHERE group_id = ?
            """, publicID, rootKey, root?.seed, key.seed, id.number)
        try database.run(
            """
            UPDATE group_members SET public_key = ? WHERE group_member_id =
                (SELECT membership_id FROM groups WHERE group_id = ?)
            """, key.publicKey.der, id.number)
    }

    /// The private key of the user as a member of a channel; nil for other groups.
    func memberKey(of id: GroupID) throws -> Ed25519.PrivateKey? { try seed("member_private_key", id) }

    /// The private root key of a channel; nil unless the user made it.
    func rootKey(of id: GroupID) throws -> Ed25519.PrivateKey? { try seed("root_private_key", id) }

    private func seed(_ column: String, _ id: GroupID) throws -> Ed25519.PrivateKey? {
        try database.first("SELECT \(column) FROM groups WHERE group_id = ? AND \(column) IS NOT NULL", id.number) {
            row throws(StoreError) in
            guard let key = try? Ed25519.PrivateKey(seed: try row.secret()) else { throw StoreError(.damaged) }
            return key
        }
    }

    /// The channel of a profile with a public id, the newest first.
    func channel(_ publicID: Bytes, of profile: ProfileID) throws -> GroupID? {
        try database.first(
            "SELECT group_id FROM groups WHERE profile_id = ? AND public_id = ? ORDER BY group_id DESC", profile.number,
            publicID
        ) { row throws(StoreError) in GroupID(try row.int64()) }
    }

    /// The channels of a profile, the newest first.
    func channels(of profile: ProfileID) throws -> [GroupID] {
        try database.rows(
            "SELECT group_id FROM groups WHERE profile_id = ? AND public_id IS NOT NULL ORDER BY group_id DESC",
            profile.number
        ) { row throws(StoreError) in GroupID(try row.int64()) }
    }

    /// The relays of channels of which the user is a member, and that were not asked to join yet.
    func unaskedRelays() throws -> [GroupMemberID] {
        try database.rows(
            """
            SELECT relays.group_member_id FROM group_members AS relays JOIN groups USING (group_id)
            JOIN group_members AS own ON own.group_member_id = groups.membership_id
            WHERE relays.category = 'host' AND relays.relay_link IS NOT NULL AND relays.status = 'accepted'
                AND own.status IN ('accepted', 'connected', 'complete')
                AND NOT EXISTS (SELECT 1 FROM connections WHERE connections.member_id = relays.group_member_id)
            ORDER BY relays.group_member_id
            """
        ) { row throws(StoreError) in GroupMemberID(try row.int64()) }
    }

    /// Removes channels, and returns their number.
    ///
    /// - Parameter onlyServed: True for those that the user serves as a relay.
    func removeChannels(onlyServed: Bool) throws -> Int {
        let condition = onlyServed ? "AND relay_status IS NOT NULL" : ""
        let ids = try database.rows("SELECT group_id FROM groups WHERE public_id IS NOT NULL \(condition)") {
            row throws(StoreError) in GroupID(try row.int64())
        }
        for group in try ids.compactMap({ try group($0) }) { try removeGroup(group) }
        return ids.count
    }

    func setOwnStatus(_ status: RelayStatus?, _ id: GroupID) throws {
        try database.run("UPDATE groups SET relay_status = ? WHERE group_id = ?", status?.rawValue, id.number)
    }

    func setPublicMemberCount(_ count: Int64?, _ id: GroupID) throws {
        try database.run("UPDATE groups SET public_member_count = ? WHERE group_id = ?", count, id.number)
    }

    func setRootKey(_ key: Bytes, _ id: GroupID) throws {
        try database.run("UPDATE groups SET root_key = ? WHERE group_id = ?", key, id.number)
    }

    /// Notes the highest version of a roster that was seen, and the one up to which none is missing.
    func setRosterVersions(gate: Int64?, complete: Int64?, _ id: GroupID) throws {
        try database.run(
            "UPDATE groups SET roster_gate = ?, roster_version = ? WHERE group_id = ?", gate, complete, id.number)
    }

    func setRelayLink(_ link: String?, of id: GroupMemberID) throws {
        try database.run("UPDATE group_members SET relay_link = ? WHERE group_member_id = ?", link, id.number)
    }

    /// Notes what is known of the signature of an entry.
    func setSignature(_ signature: SignatureStatus?, of id: ChatItemID) throws {
        try database.run("UPDATE items SET signature = ? WHERE item_id = ?", signature?.rawValue, id.number)
    }

    // MARK: - Rosters

    /// A roster as an owner signed it.
    struct StoredRoster: Hashable, Sendable {
        let version: Int64
        /// The owner that signed it.
        let author: MemberID
        let time: Timestamp
        /// The signed element.
        let element: Bytes
        let file: Bytes
    }

    /// The newest complete roster of a channel.
    func roster(of id: GroupID) throws -> StoredRoster? {
        try database.first("SELECT version, author, time, element, file FROM rosters WHERE group_id = ?", id.number) {
            row throws(StoreError) in
            let version = try row.int64()
            guard let author = MemberID(try row.bytes()) else { throw StoreError(.damaged) }
            return StoredRoster(
                version: version, author: author, time: try row.timestamp(), element: try row.bytes(),
                file: try row.bytes())
        }
    }

    func setRoster(_ roster: StoredRoster, of id: GroupID) throws {
        try database.run(
            "INSERT OR REPLACE INTO rosters (group_id, version, author, time, element, file) VALUES (?, ?, ?, ?, ?, ?)",
            id.number, roster.version, roster.author.bytes, roster.time, roster.element, roster.file)
    }

    /// A roster whose file is arriving.
    struct RosterTransfer: Hashable, Sendable {
        let messageID: SharedMessageID
        let size: Int64
        let digest: Bytes
        /// The roster with the part of the file that is here.
        let roster: StoredRoster
    }

    /// The roster that a member is sending.
    func rosterTransfer(from id: GroupMemberID) throws -> RosterTransfer? {
        try database.first(
            """
            SELECT message_id, version, author, time, size, digest, element, file FROM roster_transfers
            WHERE group_member_id = ?
            """, id.number
        ) { row throws(StoreError) in
            let messageID = try row.sharedID(), version = try row.int64()
            guard let author = MemberID(try row.bytes()) else { throw StoreError(.damaged) }
            let time = try row.timestamp(), size = try row.int64(), digest = try row.bytes()
            return RosterTransfer(
                messageID: messageID, size: size, digest: digest,
                roster: StoredRoster(
                    version: version, author: author, time: time, element: try row.bytes(), file: try row.bytes()))
        }
    }

    /// Keeps a roster that a member is sending, instead of a former one.
    func setRosterTransfer(_ transfer: RosterTransfer, from id: GroupMemberID) throws {
        let roster = transfer.roster
        try database.run(
            """
            INSERT OR REPLACE INTO roster_transfers
                (group_member_id, message_id, version, author, time, size, digest, element, file)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, id.number, transfer.messageID.bytes, roster.version, roster.author.bytes, roster.time, transfer.size,
            transfer.digest, roster.element, roster.file)
    }

    func removeRosterTransfer(from id: GroupMemberID) throws {
        try database.run("DELETE FROM roster_transfers WHERE group_member_id = ?", id.number)
    }
}

extension Row {
    /// What a group has as a channel, see ``ChatStore/groupColumns``.
    mutating func channel() throws(StoreError) -> Channel? {
        let publicID = try optional { row throws(StoreError) in try row.bytes() }
        let rootKey = try optional { row throws(StoreError) in try row.bytes() }
        let isRoot = try bool()
        let ownStatus: RelayStatus? = try optional { row throws(StoreError) in try row.word() }
        let memberCount = try optional { row throws(StoreError) in try row.int64() }
        let gate = try optional { row throws(StoreError) in try row.int64() }
        let version = try optional { row throws(StoreError) in try row.int64() }
        guard let publicID else { return nil }
        var channel = Channel(publicID: publicID)
        channel.rootKey = rootKey
        channel.isRoot = isRoot
        channel.ownStatus = ownStatus
        channel.memberCount = memberCount
        channel.rosterGate = gate
        channel.rosterVersion = version
        return channel
    }
}
