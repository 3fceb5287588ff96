import ByteCoding
import SMPProtocol
import Store

/// A notice that a relay sent with a blocked queue (SMP v18).
struct StoredNotice {
    let server: ServerAddress
    /// The queue that the relay blocked.
    let recipientID: EntityID
    /// The duration in seconds; nil for no end.
    let seconds: Int64?
    /// The time of the first notice for the queue.
    let notedAt: Timestamp
}

extension AgentStore {
    /// The largest duration of a notice in seconds, about 8000 years. The sum of all notices fits into an integer.
    private static let longestNotice: Int64 = 253_402_300_799

    /// Stores the notice for a queue. A later notice changes the duration, not the beginning.
    func insertNotice(
        of recipientID: EntityID, at server: ServerAddress, seconds: Int64?, _ time: Timestamp
    ) throws {
        let seconds = seconds.map { min(max($0, 0), AgentStore.longestNotice) }
        try database.run(
            """
            INSERT INTO creation_notices (address, recipient_id, seconds, noted_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (address, recipient_id) DO UPDATE SET seconds = excluded.seconds
            """, server.description, recipientID.bytes, seconds, time)
    }

    /// Removes the notice for a queue.
    func removeNotice(of recipientID: EntityID, at server: ServerAddress) throws {
        try database.run(
            "DELETE FROM creation_notices WHERE address = ? AND recipient_id = ?", server.description,
            recipientID.bytes)
    }

    /// Returns the queues with a notice.
    func noticedQueues() throws -> Set<EntityID> {
        Set(
            try database.rows("SELECT recipient_id FROM creation_notices") { row throws(StoreError) in
                try row.entityID()
            })
    }

    /// Returns all notices.
    func notices() throws -> [StoredNotice] {
        try database.rows("SELECT address, recipient_id, seconds, noted_at FROM creation_notices") {
            row throws(StoreError) in
            StoredNotice(
                server: try row.serverAddress(), recipientID: try row.entityID(),
                seconds: try row.optional { row throws(StoreError) in try row.int64() },
                notedAt: try row.timestamp())
        }
    }
}
