import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding
import SMPProtocol
import Store

extension OfficialChatImport {
    /// Keeps everything that belongs to the channels that the user serves, their keys above all, as it is. Their queues stay at their
    /// relays.
    func keepChannels() throws {
        for (id, channel) in channels.sorted(by: { $0.key < $1.key }) {
            let links = "(SELECT user_contact_link_id FROM user_contact_links WHERE group_id = ?1)"
            let people = "(SELECT group_member_id FROM group_members WHERE group_id = ?1)"
            let connections = "group_member_id IN \(people) OR user_contact_link_id IN \(links)"
            let profiles = "(SELECT contact_profile_id FROM group_members WHERE group_id = ?)"
            let kept = [
                ("groups", "group_id = ?", id), ("group_profiles", "group_profile_id = ?", channel.details),
                ("group_members", "group_id = ?", id),
                ("contact_profiles", "contact_profile_id IN \(profiles)", id),
                ("group_relays", "group_id = ?", id), ("user_contact_links", "group_id = ?", id),
                ("connections", connections, id),
            ]
            var rows: [String: [[String: String]]] = [:]
            for (table, condition, value) in kept {
                rows[table] = try tables.literals(table, where: condition, value)
            }
            let ids = try tables.rows("agent_conn_id", from: "connections", "WHERE \(connections)", id) {
                row throws(StoreError) in try row.bytes()
            }
            untouched.formUnion(ids)
            try database.run(
                "INSERT INTO kept_channels (profile_id, name, chat_rows, agent_rows) VALUES (?, ?, ?, ?)",
                channel.profile, channel.name, OfficialChatImport.text(rows),
                OfficialChatImport.text(try agent.literals(of: ids)))
        }
        note(.channels, channels.count)
    }

    /// A JSON object with an array of rows for each table.
    private static func text(_ tables: [String: [[String: String]]]) -> String {
        var object: JSONObject = [:]
        for (table, rows) in tables {
            object[table] = .array(
                rows.map { row in
                    var fields: JSONObject = [:]
                    for (name, literal) in row { fields[name] = .string(literal) }
                    return .object(fields)
                })
        }
        return object.line
    }

    // MARK: - Channels

    /// Gives the groups that are channels their keys and versions. The members are here.
    func takeChannels() throws {
        guard try tables.has("use_relays", in: "groups") else { return }
        for (id, membership) in memberships.sorted(by: { $0.key < $1.key }) {
            let row = try tables.first(
                """
                group_id, root_pub_key, root_priv_key, member_priv_key, public_member_count, roster_version,
                applied_complete_roster_version
                """, from: "groups", "WHERE use_relays = 1 AND group_id = ?", id
            ) { row throws(StoreError) in try row.officialChannel() }
            guard let row else { continue }
            guard let publicGroup = try store.group(GroupID(row.id))?.profile.publicGroup else {
                throw StoreError(.damaged)
            }
            // A channel that was only prepared needs no known key.
            let key = row.key ?? Ed25519.PrivateKey(random: SystemRandom())
            try store.setChannel(
                publicGroup.id, rootKey: row.rootKey ?? row.root?.publicKey.der, root: row.root, key: key,
                of: GroupID(row.id))
            try store.setPublicMemberCount(row.memberCount, GroupID(row.id))
            // The owner counts the rosters; others note which one they have without gaps.
            try store.setRosterVersions(
                gate: row.gate, complete: row.root == nil ? row.complete : row.gate, GroupID(row.id))
            try takeRelays(of: row.id, membership)
        }
    }

    /// Takes the chat relays of profiles. They get other numbers, because presets are here already.
    func takeChatRelays() throws {
        let rows = try tables.rows(
            """
            chat_relay_id, address, display_name, full_name, short_descr, image, domains, preset, tested, enabled, user_id,
            deleted
            """, from: "chat_relays", "ORDER BY chat_relay_id"
        ) { row throws(StoreError) in try row.officialChatRelay() }
        for row in rows where profiles[row.profile] != nil {
            guard let address = try? ChatRelay.address(text: row.address) else {
                note(.chatRelays)
                continue
            }
            let relay = ChatRelay(
                address, row.presented, domains: row.domains, isPreset: row.isPreset,
                isTested: row.isTested, isEnabled: row.isEnabled)
            try store.insert(relay, of: ProfileID(row.profile))
            let number = try database.first(
                "SELECT chat_relay_id FROM chat_relays WHERE profile_id = ? AND address = ?", row.profile, relay.text
            ) { row throws(StoreError) in try row.int64() }
            chatRelays[row.id] = number
            if row.isDeleted {
                try database.run("UPDATE chat_relays SET is_deleted = 1 WHERE chat_relay_id = ?", number)
            }
        }
    }

    private func takeRelays(of group: Int64, _ membership: Int64) throws {
        let rows = try tables.rows(
            "group_member_id, chat_relay_id, relay_status, relay_link, base_web_url", from: "group_relays",
            "WHERE group_id = ? ORDER BY group_relay_id", group
        ) { row throws(StoreError) in
            (
                member: try row.foreignID(), relay: try row.foreignID(), status: try row.foreignText(),
                link: try row.optionalForeignText(), domain: try row.optionalForeignText()
            )
        }
        for row in rows {
            guard members[row.member] == group, row.member != membership, let relay = chatRelays[row.relay] else {
                note(.chatRelays)
                continue
            }
            let status = RelayStatus(official: row.status) ?? .inactive
            try database.run(
                """
                INSERT INTO group_relays (group_id, member_id, chat_relay_id, status, link, web_domain)
                VALUES (?, ?, ?, ?, ?, ?)
                """, group, row.member, relay, status.rawValue,
                row.link.flatMap { try? ShortLink(text: $0).keptText }, row.domain)
        }
    }
}

/// A channel as the official database has it.
struct OfficialChannelRow {
    let profile: Int64
    let name: String
    /// The number of its profile.
    let details: Int64
}

/// What a group has as a channel in the official database.
private struct OfficialChannelKeys {
    let id: Int64
    /// The DER form of the root key.
    let rootKey: Bytes?
    let root: Ed25519.PrivateKey?
    let key: Ed25519.PrivateKey?
    let memberCount: Int64?
    let gate: Int64?
    let complete: Int64?
}

/// A chat relay as the official database has it.
private struct OfficialChatRelayRow {
    let id: Int64
    let address: String
    let presented: RelayProfile
    let domains: [String]
    let isPreset: Bool
    let isTested: Bool?
    let isEnabled: Bool
    let profile: Int64
    let isDeleted: Bool
}

extension Row {
    fileprivate mutating func officialChannel() throws(StoreError) -> OfficialChannelKeys {
        let id = try foreignID(), rootKey = try optionalForeignBytes()
        if let rootKey, (try? Ed25519.PublicKey(der: rootKey)) == nil { throw StoreError(.damaged) }
        let root = try optional { row throws(StoreError) in try OfficialKey.ed25519(try row.secret()) }
        let key = try optional { row throws(StoreError) in try OfficialKey.ed25519(try row.secret()) }
        return OfficialChannelKeys(
            id: id, rootKey: rootKey, root: root, key: key, memberCount: try optionalVersion(),
            gate: try optionalVersion(), complete: try optionalVersion())
    }

    private mutating func optionalVersion() throws(StoreError) -> Int64? {
        try optional { row throws(StoreError) in try row.int64(in: 0...(1 << 62)) }
    }

    fileprivate mutating func officialChatRelay() throws(StoreError) -> OfficialChatRelayRow {
        let id = try foreignID(), address = try foreignText()
        let presented = RelayProfile(
            displayName: try foreignText(), fullName: try foreignText(), shortDescription: try optionalForeignText(),
            image: try optionalForeignText())
        let domains = try foreignText().split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let isPreset = try foreignBool()
        let isTested = try optional { row throws(StoreError) in try row.bool() }, isEnabled = try foreignBool()
        return OfficialChatRelayRow(
            id: id, address: address, presented: presented, domains: domains, isPreset: isPreset, isTested: isTested,
            isEnabled: isEnabled, profile: try foreignID(), isDeleted: try foreignBool())
    }
}

extension RelayStatus {
    /// Reads the word of the official programs.
    init?(official word: String) {
        self.init(rawValue: word == "acknowledged_roster" ? RelayStatus.acknowledgedRoster.rawValue : word)
    }

    /// The word of the official programs.
    var officialWord: String { self == .acknowledgedRoster ? "acknowledged_roster" : rawValue }
}
