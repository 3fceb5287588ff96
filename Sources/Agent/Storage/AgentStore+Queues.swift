import AgentProtocol
import ByteCoding
import CryptoCore
import SMPProtocol
import Store

/// A queue to be subscribed.
struct Subscribable {
    let connectionID: ConnectionID
    let profileID: ProfileID
    let server: ServerAddress
    let recipientID: EntityID
    let key: AuthorizationPrivateKey
    let role: QueueRole
}

/// The role of a queue in its connection.
enum QueueRole: Int64 {
    case current
    /// The replacement of the current queue.
    case next
    /// The replaced queue, which may contain messages.
    case former
}

extension AgentStore {
    /// Stores the queues of a connection. Rows of own queues remain until they are discarded.
    func saveQueues(of stored: StoredConnection) throws {
        let connection = stored.connection
        if let queue = connection.receiveQueue { try save(queue, .current, of: stored.id) }
        if let rotation = connection.receiveRotation, let queue = rotation.queue {
            try save(queue, rotation.stage == .draining ? .former : .next, of: stored.id)
        }
        try save([.current: connection.sendQueue, .next: connection.sendRotation?.queue], of: stored.id)
    }

    private func save(_ queue: ReceiveQueue, _ role: QueueRole, of id: ConnectionID) throws {
        try database.run(
            """
            INSERT INTO receive_queues (connection_id, server_id, recipient_id, sender_id, mode, authorization_key,
                relay_secret, agreement_key, sender_version, sender_secret, role)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (recipient_id, server_id) DO UPDATE SET sender_version = excluded.sender_version,
                sender_secret = excluded.sender_secret, role = excluded.role
                WHERE connection_id = excluded.connection_id
            """, id.number, try serverID(queue.server), queue.recipientID.bytes, queue.senderID.bytes, queue.mode?.text,
            queue.authorizationKey.stored, queue.relaySecret, queue.agreementKey.secret, queue.sender?.version,
            queue.sender?.secret, role.rawValue)
        // A relay that assigns one id to two queues.
        guard database.changes > 0 else { throw StoreError(.damaged) }
    }

    private func save(_ queues: [QueueRole: SendQueue?], of id: ConnectionID) throws {
        let queues = queues.compactMapValues { $0 }
        let stored = try database.rows("SELECT role, sender_id FROM send_queues WHERE connection_id = ?", id.number) {
            row throws(StoreError) in
            let role: QueueRole = try row.code()
            return (role, try row.bytes())
        }
        // A send queue is immutable, so usually nothing changes.
        let isSame = stored.allSatisfy { role, senderID in queues[role]?.senderID.bytes == senderID }
        if isSame, stored.count == queues.count { return }
        try database.run("DELETE FROM send_queues WHERE connection_id = ?", id.number)
        for (role, queue) in queues {
            try database.run(
                """
                INSERT INTO send_queues (connection_id, server_id, sender_id, mode, version, authorization_key,
                    agreement_key, secret, role) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, id.number, try serverID(queue.server), queue.senderID.bytes, queue.mode?.text, queue.version,
                queue.authorizationKey.stored, queue.agreementKey.der, queue.secret, role.rawValue)
        }
        // The other side chooses the names of its relays, and may change them every time.
        if !stored.isEmpty { try removeUnusedServers() }
    }

    func receiveQueues(of id: ConnectionID) throws -> [QueueRole: ReceiveQueue] {
        let queues = try database.rows(
            """
            SELECT address, recipient_id, sender_id, mode, authorization_key, relay_secret, agreement_key, sender_version,
                sender_secret, role FROM receive_queues JOIN servers USING (server_id) WHERE connection_id = ?
            """, id.number
        ) { row throws(StoreError) -> (QueueRole, ReceiveQueue) in
            let server = try row.serverAddress()
            let recipientID: EntityID = try row.entityID()
            let senderID = try row.entityID()
            let mode = try row.queueMode()
            let key = try row.authorizationPrivateKey()
            let relaySecret = try row.secret(size: SecretBox.keySize)
            let agreementKey = try row.x25519Key()
            let version = try row.optional { row throws(StoreError) in try row.uint16() }
            let secret = try row.optional { row throws(StoreError) in try row.secret(size: SecretBox.keySize) }
            var sender: ReceiveQueue.Sender?
            if let version, let secret { sender = ReceiveQueue.Sender(version: version, secret: secret) }
            let queue = ReceiveQueue(
                server: server, recipientID: recipientID, senderID: senderID, mode: mode, authorizationKey: key,
                relaySecret: relaySecret, agreementKey: agreementKey, sender: sender)
            return (try row.code(), queue)
        }
        return Dictionary(queues) { first, _ in first }
    }

    func sendQueues(of id: ConnectionID) throws -> [QueueRole: SendQueue] {
        let queues = try database.rows(
            """
            SELECT address, sender_id, mode, version, authorization_key, agreement_key, secret, role
            FROM send_queues JOIN servers USING (server_id) WHERE connection_id = ?
            """, id.number
        ) { row throws(StoreError) -> (QueueRole, SendQueue) in
            let server = try row.serverAddress()
            let senderID = try row.entityID()
            let mode = try row.queueMode()
            let version = try row.uint16()
            let key = try row.authorizationPrivateKey()
            let agreementKey = try row.shownKey()
            let queue = SendQueue(
                server: server, senderID: senderID, mode: mode, version: version, authorizationKey: key,
                agreementKey: agreementKey, secret: try row.secret(size: SecretBox.keySize))
            return (try row.code(), queue)
        }
        return Dictionary(queues) { first, _ in first }
    }

    /// Returns the connection of a receive queue.
    func connectionID(of recipientID: EntityID, at server: ServerAddress) throws -> ConnectionID? {
        try database.first(
            """
            SELECT connection_id FROM receive_queues JOIN servers USING (server_id)
            WHERE recipient_id = ? AND address = ?
            """, recipientID.bytes, server.description
        ) { row throws(StoreError) in ConnectionID(try row.int64()) }
    }

    /// Returns all queues that can receive, and the connections of unreadable queues.
    func subscribableQueues() throws -> (queues: [Subscribable], unreadable: [ConnectionID]) {
        let found = try subscribableQueues(only: nil)
        return (found.compactMap(\.queue), found.filter { $0.queue == nil }.map(\.id))
    }

    /// Returns the queues of a connection that can receive.
    func subscribableQueues(of id: ConnectionID) throws -> [Subscribable] {
        try subscribableQueues(only: id).compactMap(\.queue)
    }

    private func subscribableQueues(only id: ConnectionID?) throws -> [(id: ConnectionID, queue: Subscribable?)] {
        try database.rows(
            """
            SELECT connection_id, profile_id, address, recipient_id, authorization_key, receive_queues.role
            FROM receive_queues JOIN servers USING (server_id) JOIN connections USING (connection_id)
            WHERE status NOT IN (?1, ?2) AND (?3 IS NULL OR connection_id = ?3) ORDER BY connection_id
            """, Connection.Status.failed.rawValue, Connection.Status.deleted.rawValue, id?.number
        ) { row throws(StoreError) in
            let connectionID = ConnectionID(try row.int64())
            let profileID = ProfileID(try row.int64())
            return (
                connectionID,
                try row.readable { row throws(StoreError) in
                    let server = try row.serverAddress()
                    let recipientID = try row.entityID()
                    let key = try row.authorizationPrivateKey()
                    return Subscribable(
                        connectionID: connectionID, profileID: profileID, server: server, recipientID: recipientID,
                        key: key, role: try row.code())
                }
            )
        }
    }

    /// Removes relays without queues and links.
    func removeUnusedServers() throws {
        try database.run(
            """
            DELETE FROM servers WHERE server_id NOT IN (
                SELECT server_id FROM receive_queues UNION SELECT server_id FROM send_queues
                UNION SELECT server_id FROM links UNION SELECT server_id FROM discarded_queues)
            """)
    }

    /// Returns true if a profile has a queue at a relay, an own or another side's one.
    func hasQueues(of id: ProfileID, at server: ServerAddress) throws -> Bool {
        try database.first(
            """
            SELECT 1 FROM servers WHERE address = ?1 AND (
                EXISTS (SELECT 1 FROM receive_queues r JOIN connections USING (connection_id)
                    WHERE r.server_id = servers.server_id AND profile_id = ?2)
                OR EXISTS (SELECT 1 FROM send_queues s JOIN connections USING (connection_id)
                    WHERE s.server_id = servers.server_id AND profile_id = ?2))
            """, server.description, id.number
        ) { _ in true } ?? false
    }

    func serverID(_ server: ServerAddress) throws -> Int64 {
        let address = server.description
        let known = try database.first("SELECT server_id FROM servers WHERE address = ?", address) {
            row throws(StoreError) in try row.int64()
        }
        if let known { return known }
        try database.run("INSERT INTO servers (address) VALUES (?)", address)
        return database.lastInsertedID
    }
}

extension QueueMode {
    fileprivate var text: String {
        switch self {
        case .messaging: "messaging"
        case .contact: "contact"
        }
    }
}

extension Row {
    /// Reads a value, or returns nil if it is unreadable. Other rows are not affected.
    mutating func readable<Value>(
        _ read: (inout Row) throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        do { return try read(&self) } catch {
            guard error.isUnreadableValue else { throw error }
            return nil
        }
    }

    mutating func serverAddress() throws(StoreError) -> ServerAddress {
        let text = try text()
        guard let server = try? ServerAddress(text: text) else { throw StoreError(.damaged) }
        return server
    }

    /// Reads the id of an object at a relay, up to 255 bytes.
    mutating func entityID() throws(StoreError) -> EntityID {
        let stored = try bytes()
        guard stored.count <= UInt8.max else { throw StoreError(.damaged) }
        return EntityID(stored)
    }

    fileprivate mutating func queueMode() throws(StoreError) -> QueueMode? {
        switch try optional({ row throws(StoreError) in try row.text() }) {
        case nil: nil
        case "messaging": .messaging
        case "contact": .contact
        default: throw StoreError(.damaged)
        }
    }

    mutating func ed25519Key() throws(StoreError) -> Ed25519.PrivateKey {
        let seed = try secret()
        guard let key = try? Ed25519.PrivateKey(seed: seed) else { throw StoreError(.damaged) }
        return key
    }

    /// Reads the key of a queue: the seed of an Ed25519 key, or PKCS8 of another kind.
    mutating func authorizationPrivateKey() throws(StoreError) -> AuthorizationPrivateKey {
        let stored = try secret()
        if let key = try? Ed25519.PrivateKey(seed: stored) { return .ed25519(key) }
        guard let key = try? AuthorizationPrivateKey(pkcs8: stored.copyBytes()) else { throw StoreError(.damaged) }
        return key
    }

    /// Reads the public key that a queue shows its recipient. Former versions stored the private half.
    fileprivate mutating func shownKey() throws(StoreError) -> X25519.PublicKey {
        let stored = try secret()
        if let key = try? X25519.PrivateKey(stored) { return key.publicKey }
        guard let key = try? X25519.PublicKey(der: stored.copyBytes()) else { throw StoreError(.damaged) }
        return key
    }

    fileprivate mutating func x25519Key() throws(StoreError) -> X25519.PrivateKey {
        let stored = try secret()
        guard let key = try? X25519.PrivateKey(stored) else { throw StoreError(.damaged) }
        return key
    }
}

extension AuthorizationPrivateKey {
    /// As the database has it. Queues from before 2024 have keys of another kind than Ed25519, and come by an import.
    var stored: Secret {
        if case .ed25519(let key) = self { key.seed } else { Secret(copying: pkcs8) }
    }
}

/// A queue to delete at its relay.
struct DiscardedQueue {
    let id: Int64
    let profileID: ProfileID
    let server: ServerAddress
    let recipientID: EntityID
    let key: AuthorizationPrivateKey
}

extension AgentStore {
    /// Moves an own queue from its connection to the discarded queues.
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
            """, stored.profileID.number, serverID, queue.recipientID.bytes, queue.authorizationKey.stored, time)
    }

    /// Removes a connection with unreadable records and discards its own queues.
    func discardUnread(_ id: ConnectionID, at time: Timestamp) throws {
        try database.run(
            """
            INSERT INTO discarded_queues (profile_id, server_id, recipient_id, authorization_key, discarded_at)
            SELECT profile_id, server_id, recipient_id, authorization_key, ?
            FROM receive_queues JOIN connections USING (connection_id) WHERE connection_id = ?
            """, time, id.number)
        try remove(id)
    }

    /// Returns the readable discarded queues. The unreadable ones remain until their relays have expired them.
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
                    key: try row.authorizationPrivateKey())
            }
        }
        return queues.compactMap(\.self)
    }

    func removeDiscardedQueue(_ id: Int64) throws {
        try database.run("DELETE FROM discarded_queues WHERE discarded_queue_id = ?", id)
        try removeUnusedServers()
    }
}
