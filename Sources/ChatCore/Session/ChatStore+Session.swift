import AgentProtocol
import ByteCoding
import Store

extension ChatStore {
    // MARK: - Values

    func sessionValue(_ key: String) throws -> String? {
        try database.first("SELECT value FROM session_values WHERE key = ?", key) { row throws(StoreError) in
            try row.text()
        }
    }

    func setSessionValue(_ key: String, _ value: String?) throws {
        guard let value else {
            try database.run("DELETE FROM session_values WHERE key = ?", key)
            return
        }
        try database.run(
            "INSERT INTO session_values (key, value) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = ?2", key, value)
    }

    // MARK: - Drafts

    func draft(of chat: ChatReference) throws -> Draft? {
        try database.first("SELECT draft, answers FROM drafts WHERE chat_id = \(chat.row())", chat.number) {
            row throws(StoreError) in
            Draft(
                text: try row.text(),
                answers: try row.optional { row throws(StoreError) in ChatItemID(try row.int64()) })
        }
    }

    func setDraft(_ draft: Draft?, of chat: ChatReference, at time: Timestamp) throws {
        guard let draft else {
            try database.run("DELETE FROM drafts WHERE chat_id = \(chat.row())", chat.number)
            return
        }
        try database.run(
            """
            INSERT INTO drafts (chat_id, draft, answers, updated_at)
            SELECT chat_id, ?2, ?3, ?4 FROM chats WHERE \(chat.column) = ?1
            ON CONFLICT DO UPDATE SET draft = ?2, answers = ?3, updated_at = ?4
            """, chat.number, draft.text, draft.answers?.number, time)
    }

    // MARK: - Lines

    /// How many commands are remembered.
    static let lineLimit = 1000

    /// Remembers a command, unless it is the last one again, and forgets the oldest beyond the limit.
    func addLine(_ line: String) throws {
        guard try lines(count: 1) != [line] else { return }
        try database.run("INSERT INTO session_lines (line) VALUES (?)", line)
        try database.run(
            """
            DELETE FROM session_lines WHERE line_id <=
                (SELECT line_id FROM session_lines ORDER BY line_id DESC LIMIT 1 OFFSET ?)
            """, ChatStore.lineLimit)
    }

    /// The last commands, oldest first.
    func lines(count: Int) throws -> [String] {
        try database.rows("SELECT line FROM session_lines ORDER BY line_id DESC LIMIT ?", max(count, 0)) {
            row throws(StoreError) in try row.text()
        }.reversed()
    }

    // MARK: - Unread

    /// The conversations of a profile that have unread entries.
    func unreadCounts(of id: ProfileID) throws -> [ChatReference: UnreadCount] {
        let counts = try database.rows(
            """
            SELECT \(ChatStore.referenceColumns), unread_count, unread_mentions FROM chats
            WHERE profile_id = ? AND unread_count > 0
            """, id.number
        ) { row throws(StoreError) in
            (try row.chatReference(), UnreadCount(all: try row.count(), mentions: try row.count()))
        }
        return Dictionary(counts) { first, _ in first }
    }
}
