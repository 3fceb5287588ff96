import ByteCoding
import Store

/// Two contacts that turned out to be one person.
extension ChatStore {
    /// Moves the connections, the conversation and the memberships of a contact to another one, and removes the first. The choices
    /// of the user about the other stay.
    ///
    /// - Parameter naming: The one of both whose names stay.
    func merge(_ other: Contact, into contact: Contact, naming: Contact) throws {
        let numbers = (contact.id.number, other.id.number)
        for table in [
            "connections", "group_members", "owed_events", "kept_events", "sent_probes", "sent_checks",
            "received_probes",
        ] {
            try database.run("UPDATE \(table) SET contact_id = ?1 WHERE contact_id = ?2", numbers.0, numbers.1)
        }
        // Of a draft, a key or a tag that both have, that of the first stays.
        for table in ["items", "cursors", "drafts", "send_keys", "chat_tags"] {
            try database.run(
                """
                UPDATE OR IGNORE \(table) SET chat_id = (SELECT chat_id FROM chats WHERE contact_id = ?1)
                WHERE chat_id = (SELECT chat_id FROM chats WHERE contact_id = ?2)
                """, numbers.0, numbers.1)
        }
        try database.run(
            """
            UPDATE chats SET active_at = max(chats.active_at, others.active_at),
                is_favorite = max(chats.is_favorite, others.is_favorite),
                is_unread = max(chats.is_unread, others.is_unread),
                is_deleted = min(chats.is_deleted, others.is_deleted)
            FROM chats AS others WHERE chats.contact_id = ?1 AND others.contact_id = ?2
            """, numbers.0, numbers.1)
        try database.run(
            """
            UPDATE contacts SET alias = iif(contacts.alias = '', others.alias, contacts.alias),
                preferences = coalesce(contacts.preferences, others.preferences),
                member_invitation = coalesce(contacts.member_invitation, others.member_invitation)
            FROM contacts AS others WHERE contacts.contact_id = ?1 AND others.contact_id = ?2
            """, numbers.0, numbers.1)
        try removeContact(other.id)
        let unnamed = naming.id == contact.id ? other : contact
        try free(unnamed.name, in: unnamed.profileID)
        if let presented = unnamed.choices.presentedName { try free(presented, in: unnamed.profileID) }
        try database.run(
            "UPDATE contacts SET name = ?, presented_name = ? WHERE contact_id = ?", naming.name,
            naming.choices.presentedName, contact.id.number)
        try shareName(of: contact.id)
        try recount(.direct(contact.id))
    }
}
