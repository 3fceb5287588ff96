import Store

extension AgentSchema {
    /// Hashes of received messages, with the connection that a limit is about; NULL for those of before.
    static let seenMessages = Migration(
        7, "seen messages by connection",
        """
        ALTER TABLE seen_messages ADD COLUMN connection_id INTEGER;
        CREATE INDEX seen_messages_connection ON seen_messages (connection_id, seen_at) WHERE connection_id IS NOT NULL;
        """,
        down: Migration.Down(
            loses: "of which connections messages were seen",
            """
            DROP INDEX seen_messages_connection;
            ALTER TABLE seen_messages DROP COLUMN connection_id;
            """))
}
