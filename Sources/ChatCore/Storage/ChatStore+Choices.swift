import AgentProtocol
import ByteCoding
import JSONCoding
import Store

extension ChatMarks {
    /// What ``Row/marks()`` reads, of `chats`.
    static let columns = """
        chats.is_favorite, chats.is_unread, chats.is_deleted, chats.custom_data, chats.themes,
        iif(chats.unread_count > 0,
            (SELECT min(items.item_id) FROM items WHERE items.chat_id = chats.chat_id AND items.status = 'rcv_new'), NULL),
        (SELECT group_concat(chat_tags.tag_id) FROM chat_tags WHERE chat_tags.chat_id = chats.chat_id)
        """
}

extension ContactChoices {
    /// What ``Row/contactChoices()`` reads, of `contacts`.
    static let columns = """
        contacts.alias, contacts.presented_name, contacts.preferences,
        (SELECT iif(json_valid(profiles.profile), json_extract(profiles.profile, '$.preferences'), NULL) FROM profiles
         WHERE profiles.profile_id = contacts.profile_id),
        contacts.member_invitation
        """
}

extension Row {
    mutating func marks() throws(StoreError) -> ChatMarks {
        var marks = ChatMarks()
        marks.isFavorite = try bool()
        marks.isUnread = try bool()
        marks.isDeleted = try bool()
        marks.customData = try object()
        marks.themes = try object()
        marks.firstUnread = try optional { row throws(StoreError) in ChatItemID(try row.int64()) }
        let tags = try optional { row throws(StoreError) in try row.text() } ?? ""
        marks.tags = tags.split(separator: ",").compactMap { Int64($0) }.sorted().map { TagID($0) }
        return marks
    }

    mutating func contactChoices() throws(StoreError) -> ContactChoices {
        var choices = ContactChoices()
        choices.alias = try text()
        choices.presentedName = try optional { row throws(StoreError) in try row.text() }
        choices.preferences = try object() ?? [:]
        choices.profilePreferences = try object() ?? [:]
        choices.memberInvitation = try optional { row throws(StoreError) in try row.value(MemberInvitation.self) }
        return choices
    }

    /// A JSON object; nil for NULL and for what is none.
    private mutating func object() throws(StoreError) -> JSONObject? {
        let text = try optional { row throws(StoreError) in try row.text() }
        return text.flatMap { (try? JSONValue(decoding: Bytes($0.utf8)))?.object }
    }
}

/// What the user decided about chats and contacts.
extension ChatStore {
    func setFavorite(_ isFavorite: Bool, _ chat: ChatReference) throws {
        try database.run("UPDATE chats SET is_favorite = ? WHERE \(chat.column) = ?", isFavorite, chat.number)
    }

    func setUnread(_ isUnread: Bool, _ chat: ChatReference) throws {
        try database.run("UPDATE chats SET is_unread = ? WHERE \(chat.column) = ?", isUnread, chat.number)
    }

    func setDeleted(_ isDeleted: Bool, _ chat: ChatReference) throws {
        try database.run("UPDATE chats SET is_deleted = ? WHERE \(chat.column) = ?", isDeleted, chat.number)
    }

    func setCustomData(_ data: JSONObject?, of chat: ChatReference) throws {
        try database.run("UPDATE chats SET custom_data = ? WHERE \(chat.column) = ?", data?.line, chat.number)
    }

    func setThemes(_ themes: JSONObject?, of chat: ChatReference) throws {
        try database.run("UPDATE chats SET themes = ? WHERE \(chat.column) = ?", themes?.line, chat.number)
    }

    func setAlias(_ alias: String, _ id: ContactID) throws {
        try database.run("UPDATE contacts SET alias = ? WHERE contact_id = ?", alias, id.number)
    }

    func setMemberInvitation(_ invitation: MemberInvitation?, _ id: ContactID) throws {
        try database.run(
            "UPDATE contacts SET member_invitation = ? WHERE contact_id = ?", invitation?.json.line, id.number)
    }

    /// Sets what a contact alone is allowed.
    func setPreferences(_ preferences: JSONObject, of id: ContactID) throws {
        try database.run(
            "UPDATE contacts SET preferences = ? WHERE contact_id = ?", preferences.isEmpty ? nil : preferences.line,
            id.number)
    }

    /// Sets the name that other programs show; nil for the name that the contact has here.
    func setPresentedName(_ name: String?, of contact: Contact) throws {
        if let former = contact.choices.presentedName { try free(former, in: contact.profileID) }
        if let name { try take(name, in: contact.profileID) }
        try database.run("UPDATE contacts SET presented_name = ? WHERE contact_id = ?", name, contact.id.number)
        try shareName(of: contact.id)
    }

    // MARK: - Profiles

    func setGroupReceipts(_ isOn: Bool, of id: ProfileID, clearsGroups: Bool = false) throws {
        try database.run("UPDATE profiles SET sends_group_receipts = ? WHERE profile_id = ?", isOn, id.number)
        guard clearsGroups else { return }
        try database.run("UPDATE groups SET sends_receipts = NULL WHERE profile_id = ?", id.number)
    }

    func setAcceptsMembers(_ isOn: Bool, of id: ProfileID) throws {
        try database.run("UPDATE profiles SET accepts_members = ? WHERE profile_id = ?", isOn, id.number)
    }

    func setChanged(_ id: ProfileID, at time: Timestamp) throws {
        try database.run("UPDATE profiles SET changed_at = ? WHERE profile_id = ?", time, id.number)
    }

    /// Marks all entries of all chats of a profile as read.
    func markAllRead(of id: ProfileID, at time: Timestamp) throws {
        try database.run(
            """
            UPDATE items SET status = 'rcv_read', delete_at = ?2 + min(ttl, 9999999999) * 1000
            WHERE status = 'rcv_new' AND chat_id IN (SELECT chat_id FROM chats WHERE profile_id = ?1)
            """, id.number, time)
        try database.run(
            "UPDATE chats SET unread_count = 0, unread_mentions = 0, is_unread = 0 WHERE profile_id = ?", id.number)
        try database.run(
            """
            UPDATE group_members SET support_unread = 0, support_attention = 0, support_mentions = 0
            WHERE support_active_at IS NOT NULL AND group_id IN (SELECT group_id FROM groups WHERE profile_id = ?)
            """, id.number)
    }

    // MARK: - Tags

    /// The tags of a profile, in the order of the user.
    func tags(of id: ProfileID) throws -> [ChatTag] {
        try database.rows(
            "SELECT tag_id, text, emoji FROM tags WHERE profile_id = ? ORDER BY position, tag_id", id.number
        ) { row throws(StoreError) in
            ChatTag(
                id: TagID(try row.int64()), text: try row.text(),
                emoji: try row.optional { row throws(StoreError) in try row.text() })
        }
    }

    func insertTag(_ text: String, emoji: String?, of id: ProfileID) throws {
        try database.run(
            """
            INSERT INTO tags (profile_id, text, emoji, position)
            VALUES (?1, ?2, ?3, (SELECT coalesce(max(position), 0) + 1 FROM tags WHERE profile_id = ?1))
            """, id.number, text, emoji)
    }

    func updateTag(_ tag: TagID, _ text: String, emoji: String?) throws {
        try database.run("UPDATE tags SET text = ?, emoji = ? WHERE tag_id = ?", text, emoji, tag.number)
    }

    func removeTag(_ tag: TagID) throws {
        try database.run("DELETE FROM tags WHERE tag_id = ?", tag.number)
    }

    /// Puts the tags of a profile into an order. Those that are not named follow as they were.
    func orderTags(_ tags: [TagID], of id: ProfileID) throws {
        try database.run("UPDATE tags SET position = position + ?2 WHERE profile_id = ?1", id.number, Int64(tags.count))
        for (place, tag) in tags.enumerated() {
            try database.run(
                "UPDATE tags SET position = ? WHERE tag_id = ? AND profile_id = ?", Int64(place), tag.number, id.number)
        }
    }

    /// Sets the tags of a chat.
    func setTags(_ tags: [TagID], of chat: ChatReference) throws {
        try database.run("DELETE FROM chat_tags WHERE chat_id = \(chat.row())", chat.number)
        for tag in tags {
            try database.run(
                "INSERT OR IGNORE INTO chat_tags (chat_id, tag_id) SELECT \(chat.row("?1")), ?2", chat.number,
                tag.number)
        }
    }
}
