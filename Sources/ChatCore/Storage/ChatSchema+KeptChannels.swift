import Store

extension ChatSchema {
    /// The channels of an imported archive, which this version cannot open yet.
    static let keptChannels = Migration(
        24, "channels of imported archives",
        """
        CREATE TABLE kept_channels (
            profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
            name TEXT NOT NULL,
            -- A JSON object: for each table of the official databases an array of rows, which are objects of SQL literals
            chat_rows TEXT NOT NULL,
            agent_rows TEXT NOT NULL
        );
        """,
        down: Migration.Down(
            loses: "the keys of channels that were imported from SimpleX Chat", "DROP TABLE kept_channels;"))
}
