import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding
import Store

extension OfficialChatExport {
    /// Writes what version 7.0 knows of channels beside groups: their keys, their relays, and what is written as the channel.
    /// Everything else of them is there.
    func writeChannels() throws {
        let relays = try writeChatRelays()
        let rows = try database.rows(
            """
            SELECT group_id, profile, root_key, root_private_key, member_private_key, public_member_count, roster_gate,
                roster_version, prepared FROM groups WHERE public_id IS NOT NULL ORDER BY group_id
            """
        ) { row throws(StoreError) in try row.channelToExport() }
        for row in rows {
            try official.run(
                """
                UPDATE groups SET use_relays = 1, root_priv_key = ?, root_pub_key = ?, member_priv_key = ?,
                    public_member_count = ?, roster_version = ?, applied_complete_roster_version = ?,
                    group_domain_verified = ?
                WHERE group_id = ?
                """, row.root.map { OfficialKey.der(of: $0).copyBytes() }, row.rootKey,
                row.key.map { OfficialKey.der(of: $0).copyBytes() }, row.memberCount, row.gate ?? row.complete,
                row.complete, row.verified.map { $0 ? 1 : 0 } as Int64?, row.id)
            guard let publicGroup = row.content.publicGroup else { continue }
            let access = publicGroup.access, claim = access?.claim
            try official.run(
                """
                UPDATE group_profiles SET group_type = ?, group_link = ?, public_group_id = ?, group_web_page = ?,
                    group_domain = ?, domain_web_page = ?, allow_embedding = ?, group_domain_proof = ?
                WHERE group_profile_id = ?
                """, publicGroup.kind.rawValue, blob(publicGroup.link), publicGroup.id, access?.webPage, claim?.domain,
                access?.hasDomainPage, access?.allowsEmbedding, claim?.proof?.json.line, row.id)
        }
        try writeMemberLinks()
        try writeGroupRelays(relays)
        let items = try database.rows(
            """
            SELECT item_id, is_from_group, signature FROM items
            WHERE is_from_group = 1 OR signature IS NOT NULL ORDER BY item_id
            """
        ) { row throws(StoreError) in
            (
                item: try row.int64(), isFromGroup: try row.bool(),
                signature: try row.optionalText().flatMap(SignatureStatus.init(rawValue:))
            )
        }
        for row in items where self.items.contains(row.item) {
            try official.run(
                "UPDATE chat_items SET show_group_as_sender = ?, msg_signed = ? WHERE chat_item_id = ?",
                row.isFromGroup, row.signature?.officialWord, number(of: row.item))
        }
    }

    /// Writes the chat relays of profiles. Returns those that are there.
    private func writeChatRelays() throws -> Set<Int64> {
        let rows = try database.rows(
            """
            SELECT chat_relay_id, profile_id, address, profile, domains, is_preset, is_tested, is_enabled, is_deleted
            FROM chat_relays ORDER BY chat_relay_id
            """
        ) { row throws(StoreError) in
            (
                id: try row.int64(), profile: try row.int64(), address: try row.text(),
                presented: try row.value(RelayProfile.self), domains: try row.text(), isPreset: try row.bool(),
                isTested: try row.optionalBool(), isEnabled: try row.bool(), isDeleted: try row.bool()
            )
        }
        for row in rows {
            try official.insert(
                into: "chat_relays",
                [
                    "chat_relay_id": row.id, "address": blob(row.address), "display_name": row.presented.displayName,
                    "full_name": row.presented.fullName, "short_descr": row.presented.shortDescription,
                    "image": row.presented.image, "domains": row.domains, "preset": row.isPreset,
                    "tested": row.isTested, "enabled": row.isEnabled, "user_id": row.profile, "deleted": row.isDeleted,
                    "created_at": text(now), "updated_at": text(now),
                ])
        }
        return Set(rows.map(\.id))
    }

    /// Writes the links of relays for their channels, and their role.
    private func writeMemberLinks() throws {
        let rows = try database.rows("SELECT group_member_id, relay_link FROM group_members WHERE role = 'relay'") {
            row throws(StoreError) in (member: try row.int64(), link: try row.optionalText())
        }
        for row in rows {
            try official.run(
                "UPDATE group_members SET member_role = 'relay', relay_link = ? WHERE group_member_id = ?",
                row.link.map(blob), row.member)
        }
    }

    private func writeGroupRelays(_ relays: Set<Int64>) throws {
        let rows = try database.rows(
            """
            SELECT group_relay_id, group_id, member_id, chat_relay_id, status, link, web_domain FROM group_relays
            ORDER BY group_relay_id
            """
        ) { row throws(StoreError) in
            (
                id: try row.int64(), group: try row.int64(), member: try row.int64(), relay: try row.int64(),
                status: RelayStatus(rawValue: try row.text()) ?? .inactive, link: try row.optionalText(),
                domain: try row.optionalText()
            )
        }
        for row in rows where relays.contains(row.relay) && members[row.member] != nil {
            try official.insert(
                into: "group_relays",
                [
                    "group_relay_id": row.id, "group_id": row.group, "group_member_id": row.member,
                    "chat_relay_id": row.relay, "relay_status": row.status.officialWord,
                    "relay_link": row.link.map(blob), "created_at": text(now), "updated_at": text(now),
                    "base_web_url": row.domain,
                ])
        }
    }
}

/// A channel of this program, on its way out.
private struct ChannelToExport {
    let id: Int64
    let content: GroupProfile
    let rootKey: Bytes?
    let root: Ed25519.PrivateKey?
    let key: Ed25519.PrivateKey?
    let memberCount: Int64?
    let gate: Int64?
    let complete: Int64?
    /// The result of the last check of its name.
    let verified: Bool?
}

extension Row {
    fileprivate mutating func channelToExport() throws(StoreError) -> ChannelToExport {
        let id = try int64(), content = StoredGroupProfile(text: try text()).profile, rootKey = try optionalBytes()
        let root = try optional { row throws(StoreError) in try row.ed25519Seed() }
        let key = try optional { row throws(StoreError) in try row.ed25519Seed() }
        let memberCount = try optionalInteger(), gate = try optionalInteger(), complete = try optionalInteger()
        let prepared = try optionalText().flatMap { try? PreparedGroup(decoding: Bytes($0.utf8)) }
        return ChannelToExport(
            id: id, content: content, rootKey: rootKey, root: root, key: key, memberCount: memberCount, gate: gate,
            complete: complete, verified: NameCheck.verified(content.publicGroup?.access?.claim, prepared?.name))
    }

    private mutating func ed25519Seed() throws(StoreError) -> Ed25519.PrivateKey {
        guard let key = try? Ed25519.PrivateKey(seed: try secret()) else { throw StoreError(.damaged) }
        return key
    }
}
