import AgentProtocol
import ByteCoding
import Store

/// Entries that disappear.
extension ChatStore {
    /// The seconds that an entry may stay; more than three hundred years is damage.
    static let lifetimes: ClosedRange<Int64> = 0...9_999_999_999

    /// The time of an entry begins, if it has one: for an own entry when it is written, and again when the outbox is done with
    /// it; for a received one when it is read. That of an entry that is still being written does not.
    func startTimer(of id: ChatItemID, at time: Timestamp, again: Bool = false) throws {
        try database.run(
            """
            UPDATE items SET delete_at = ?2 + min(ttl, 9999999999) * 1000
            WHERE item_id = ?1 AND (?3 OR delete_at IS NULL) AND ttl IS NOT NULL AND is_live IS NOT 1
            """, id.number, time, again)
    }

    /// The entries whose time is over.
    func expiredItems(at time: Timestamp) throws -> [ChatItem] {
        try database.rows(
            "\(ChatStore.itemQuery) WHERE delete_at <= ? AND NOT (\(ChatStore.isUnsent)) ORDER BY item_id", time
        ) {
            row throws(StoreError) in try row.item()
        }
    }

    /// When the next entry disappears.
    func nextExpiry() throws -> Timestamp? {
        try database.first(
            """
            SELECT delete_at FROM items WHERE delete_at IS NOT NULL AND NOT (\(ChatStore.isUnsent))
            ORDER BY delete_at LIMIT 1
            """
        ) { row throws(StoreError) in try row.timestamp() }
    }
}
