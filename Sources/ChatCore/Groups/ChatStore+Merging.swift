import ByteCoding
import Store

/// Two contacts that turned out to be one person.
extension ChatStore {
    /// Gives a contact all that another has, and removes that one: its connections, its conversation and its memberships. The
    /// choices of the user about the first stay. Its names are those of the contact that `naming` says.
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
        for one in [contact, other] {
            try free(one.name, in: one.profileID)
            if let presented = one.choices.presentedName { try free(presented, in: one.profileID) }
        }
        try take(naming.name, in: contact.profileID)
        if let presented = naming.choices.presentedName { try take(presented, in: contact.profileID) }
        try database.run(
            "UPDATE contacts SET name = ?, presented_name = ? WHERE contact_id = ?", naming.name,
            naming.choices.presentedName, contact.id.number)
        try shareName(of: contact.id)
        try recount(.direct(contact.id))
    }
}
