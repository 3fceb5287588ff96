import Store

extension AgentSchema {
    /// Events that the application could not handle.
    static let setAside = Migration(
        6, "events that were set aside",
        """
        -- How often the application failed at the event, or the process ended by a fault while it handled it.
        ALTER TABLE events ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;

        -- Events that failed twice. They are kept for an examination, and handled by nothing.
        CREATE TABLE set_aside_events (
            event_id INTEGER PRIMARY KEY,
            connection_id INTEGER NOT NULL,
            profile_id INTEGER NOT NULL,
            content BLOB NOT NULL,
            set_aside_at INTEGER NOT NULL
        ) STRICT;
        """,
        down: Migration.Down(
            loses: "events that could not be handled",
            """
            DROP TABLE set_aside_events;
            ALTER TABLE events DROP COLUMN failures;
            """))
}
