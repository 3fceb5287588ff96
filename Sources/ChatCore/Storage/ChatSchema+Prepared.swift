import Store

extension ChatSchema {
    /// Contacts that are shown before anything is sent to them.
    static let prepared = Migration(
        17, "contacts that are prepared from a link",
        """
        -- JSON: the link, and the ids of the welcome message and of the request's message; NULL: it was not prepared
        ALTER TABLE contacts ADD COLUMN prepared TEXT;
        """,
        down: Migration.Down(
            loses: "contacts that are prepared and not connected",
            """
            ALTER TABLE contacts DROP COLUMN prepared;
            """))
}
