import Store

extension ChatSchema {
    /// What a chat relay keeps of signed posts.
    static let originals = Migration(
        28, "signed originals of posts",
        """
        -- Elements as their authors signed them, of entries of channels that the user serves
        CREATE TABLE item_originals (
            item_id INTEGER PRIMARY KEY REFERENCES items ON DELETE CASCADE,
            element BLOB NOT NULL
        ) STRICT;
        """,
        down: Migration.Down(
            loses: "the signatures of posts that a chat relay shows to new subscribers",
            """
            DROP TABLE item_originals;
            """))
}

extension ChatStore {
    /// The last signed element of an entry; nil for one that is not signed.
    func original(of id: ChatItemID) throws -> [UInt8]? {
        try database.first("SELECT element FROM item_originals WHERE item_id = ?", id.number) {
            row throws(StoreError) in try row.bytes()
        }
    }

    func setOriginal(_ element: [UInt8], of id: ChatItemID) throws {
        try database.run(
            """
            INSERT INTO item_originals (item_id, element) VALUES (?1, ?2)
            ON CONFLICT (item_id) DO UPDATE SET element = excluded.element
            """, id.number, element)
    }
}
