import AgentProtocol
import ByteCoding
import CryptoCore
import SMPProtocol
import Store

/// A queue that its relay has to delete.
struct DiscardedQueue {
    let id: Int64
    let profileID: ProfileID
    let server: ServerAddress
    let recipientID: EntityID
    let key: AuthorizationPrivateKey
}

extension AgentStore {
    /// Takes an own queue from its connection.
    func discard(_ queue: ReceiveQueue, of stored: StoredConnection, at time: Timestamp) throws {
        let serverID = try serverID(queue.server)
        try database.run(
            "DELETE FROM receive_queues WHERE connection_id = ? AND recipient_id = ? AND server_id = ?",
            stored.id.number,
            queue.recipientID.bytes, serverID)
        try database.run(
            """
            INSERT INTO discarded_queues (profile_id, server_id, recipient_id, authorization_key, discarded_at)
            VALUES (?, ?, ?, ?, ?)
            """, stored.profileID.number, serverID, queue.recipientID.bytes, queue.authorizationKey.seed, time)
    }

    /// Removes a connection whose records cannot be read, and lets its relays delete its own queues.
    func discardUnread(_ id: ConnectionID, at time: Timestamp) throws {
        try database.run(
            """
            INSERT INTO discarded_queues (profile_id, server_id, recipient_id, authorization_key, discarded_at)
            SELECT profile_id, server_id, recipient_id, authorization_key, ?
            FROM receive_queues JOIN connections USING (connection_id) WHERE connection_id = ?
            """, time, id.number)
        try remove(id)
    }

    /// Those that can be read. What cannot stays until relays have forgotten it too.
    func discardedQueues() throws -> [DiscardedQueue] {
        let queues = try database.rows(
            """
            SELECT discarded_queue_id, profile_id, address, recipient_id, authorization_key
            FROM discarded_queues JOIN servers USING (server_id) ORDER BY discarded_queue_id
            """
        ) { row throws(StoreError) in
            let id = try row.int64()
            let profileID = ProfileID(try row.int64())
            return try row.readable { row throws(StoreError) in
                let server = try row.serverAddress()
                let recipientID = try row.entityID()
                return DiscardedQueue(
                    id: id, profileID: profileID, server: server, recipientID: recipientID,
                    key: .ed25519(try row.ed25519Key()))
            }
        }
        return queues.compactMap(\.self)
    }

    func removeDiscardedQueue(_ id: Int64) throws {
        try database.run("DELETE FROM discarded_queues WHERE discarded_queue_id = ?", id)
        try removeUnusedServers()
    }
}
