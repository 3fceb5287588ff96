import AgentProtocol
import ByteCoding
import Store

extension ChatStore {
    func rename(_ id: ContactID, _ name: String, at time: Timestamp) throws {
        try database.run(
            "UPDATE contacts SET name = ?, updated_at = ? WHERE contact_id = ?", name, time, id.number)
        try shareName(of: id)
    }

    func setMuted(_ isMuted: Bool, _ id: ContactID) throws {
        try database.run("UPDATE contacts SET is_muted = ? WHERE contact_id = ?", isMuted, id.number)
    }

    func setBlocked(_ isBlocked: Bool, _ id: ContactID) throws {
        try database.run("UPDATE contacts SET is_blocked = ? WHERE contact_id = ?", isBlocked, id.number)
    }

    func setMuted(_ isMuted: Bool, _ id: ProfileID) throws {
        try database.run("UPDATE profiles SET is_muted = ? WHERE profile_id = ?", isMuted, id.number)
    }

    /// Records that a code was compared; nil if it is no longer valid.
    func setVerification(_ verification: Contact.Verification?, _ id: ContactID) throws {
        try database.run(
            "UPDATE contacts SET verified_code = ?, verified_at = ?, code_changed_at = NULL WHERE contact_id = ?",
            verification?.code, verification?.verifiedAt, id.number)
    }

    /// Records that the code has changed, which ends a verification.
    func noteCodeChange(of id: ContactID, at time: Timestamp) throws {
        try database.run(
            """
            UPDATE contacts SET verified_code = NULL, verified_at = NULL, code_changed_at = ?
            WHERE contact_id = ? AND verified_code IS NOT NULL
            """, time, id.number)
    }

    /// All connections of a contact, the oldest first.
    func connections(of id: ContactID) throws -> [ConnectionID] {
        try database.rows(
            "SELECT connection_id FROM connections WHERE contact_id = ? ORDER BY connection_id", id.number
        ) {
            row throws(StoreError) in ConnectionID(try row.int64())
        }
    }

    /// All connections of a profile, with contacts or without.
    func connections(of id: ProfileID) throws -> [ConnectionID] {
        try database.rows("SELECT connection_id FROM connections WHERE profile_id = ?", id.number) {
            row throws(StoreError) in ConnectionID(try row.int64())
        }
    }

    /// Separates the connections of a contact from it. They stay without a contact until their relays have deleted them.
    func discardConnections(of id: ContactID, at time: Timestamp) throws {
        try database.run(
            "UPDATE connections SET contact_id = NULL, status = 'deleted', updated_at = ? WHERE contact_id = ?", time,
            id.number)
    }

    /// Removes the messages and the draft of a chat. The outbox and the banner stay.
    func clear(_ chat: ChatReference) throws {
        try database.run(
            """
            DELETE FROM items WHERE chat_id = \(chat.row()) AND NOT \(ChatStore.isKept)
            """, chat.number)
        try setDraft(nil, of: chat, at: Timestamp(milliseconds: 0))
        if case .direct(let id) = chat {
            try database.run("DELETE FROM kept_events WHERE contact_id = ?", id.number)
        }
        try recount(chat)
    }

    func removeProfile(_ id: ProfileID) throws {
        try database.run("DELETE FROM profiles WHERE profile_id = ?", id.number)
    }
}
