import Store

extension AgentSchema {
    /// What limits the effects of messages: offers of new queues, and messages that end the process.
    static let limits = Migration(
        8, "limits for what messages cause",
        """
        -- How many new queues the other side has offered on a day, counted in days since 1970.
        ALTER TABLE connections ADD COLUMN offer_day INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE connections ADD COLUMN offer_count INTEGER NOT NULL DEFAULT 0;

        -- Messages whose reading ended the process by a fault, by the number that the note of the crash has.
        CREATE TABLE reading_crashes (
            message INTEGER PRIMARY KEY,
            failures INTEGER NOT NULL,
            crashed_at INTEGER NOT NULL
        ) STRICT;
        """,
        down: Migration.Down(
            loses: "how often queues were offered today, and which messages could not be read",
            """
            DROP TABLE reading_crashes;
            ALTER TABLE connections DROP COLUMN offer_count;
            ALTER TABLE connections DROP COLUMN offer_day;
            """))
}
