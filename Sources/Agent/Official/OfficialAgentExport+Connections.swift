import AgentProtocol
import ByteCoding
import CryptoCore
import Ratchet
import SMPProtocol
import Store

/// One connection on its way to the official agent.
struct OutgoingConnection {
    let stored: StoredConnection
    let name: Bytes
    let tasks: [StoredTask]
    let link: OwnedLink?

    var id: ConnectionID { stored.id }
    var connection: Connection { stored.connection }
    /// Deleted by the application.
    var isDeleted: Bool { connection.status == .deleted }
    /// Deleted when the last messages are delivered.
    var awaitsDelivery: Bool { isDeleted && !messages.isEmpty && connection.sendQueue != nil }

    /// The messages that wait, in order.
    var messages: [(message: OutgoingMessage, createdAt: Timestamp)] {
        tasks.compactMap { task in
            if case .send(let message) = task.task { (message, task.createdAt) } else { nil }
        }
    }

    func contains(_ isIncluded: (ConnectionTask) -> Bool) -> Bool { tasks.contains { isIncluded($0.task) } }
}

extension [StoredTask] {
    /// True if one of them lets the other side into the receive queue.
    var securesReceiveQueue: Bool {
        contains { task in if case .secureReceiveQueue = task.task { true } else { false } }
    }
}

extension OfficialAgentExport {
    /// Adds a connection with everything that belongs to it.
    mutating func add(_ id: ConnectionID) throws {
        let stored: StoredConnection
        let tasks: [StoredTask]
        let link: StoredLink?
        do {
            guard let found = try store.connection(id) else { return }
            stored = found
            tasks = try store.tasks(of: id)
            link = try store.link(of: id)
        } catch let error as StoreError where error.isUnreadableValue {
            note(.damagedConnections)
            return
        }
        let connection = stored.connection
        let range = 0..<Int64.max / 4
        guard range.contains(connection.sent.lastNumber), range.contains(connection.received.lastNumber) else {
            note(.damagedConnections)
            return
        }
        guard OfficialAgentExport.isKnown(connection, tasks) else {
            if connection.status != .deleted { note(.unfinishedJoins) }
            for queue in [connection.receiveQueue, connection.receiveRotation?.queue] {
                if let queue { try addAbandoned(queue, of: stored.profileID) }
            }
            return
        }
        let isPublished = link?.isPublished ?? true
        let outgoing = OutgoingConnection(
            stored: stored, name: name(id), tasks: tasks, link: isPublished ? link?.link : nil)
        if !isPublished || outgoing.contains({ task in if case .setLink = task { true } else { false } }) {
            note(.linkChanges)
        }
        try addUser(stored.profileID, isDeleted: true)
        try insertConnection(outgoing)
        try insertRatchet(outgoing)
        try insertQueues(outgoing)
        try insertMessages(outgoing)
        try insertSkippedKeys(outgoing)
        try insertSeenHashes(outgoing)
    }

    /// Returns true if the official agent has such a state and can go on with it.
    private static func isKnown(_ connection: Connection, _ tasks: [StoredTask]) -> Bool {
        switch (connection.status, connection.role) {
        case (.deleted, _): return connection.receiveQueue != nil
        case (.failed, _): return true
        case (_, .address): return connection.receiveQueue != nil
        case (.new, _):
            // A request to an address that no relay has yet is sent by the official agent at once or not at all.
            let isRequested = !tasks.contains { task in
                if case .sendRequest = task.task { true } else { false }
            }
            return connection.receiveQueue != nil && connection.agreementKeys != nil && isRequested
        case (.confirming, .initiator):
            return !tasks.securesReceiveQueue && connection.ratchet != nil && connection.receiveQueue != nil
                && connection.sendQueue != nil
        case (.confirming, _), (.confirmed, _), (.greeting, _), (.ready, _):
            return connection.ratchet != nil && connection.receiveQueue != nil && connection.sendQueue != nil
        // The reply queue's key is part of a secret already, and the official agent would need it.
        case (.requested, _), (.opening, _): return false
        }
    }

    private func insertConnection(_ outgoing: OutgoingConnection) throws {
        let connection = outgoing.connection
        let (_, overflow) = connection.sent.lastNumber.addingReportingOverflow(connection.received.lastNumber)
        guard !overflow else { throw StoreError(.damaged) }
        try official.run(
            """
            INSERT INTO connections (conn_id, conn_mode, last_internal_msg_id, last_internal_rcv_msg_id,
                last_internal_snd_msg_id, last_external_snd_msg_id, last_rcv_msg_hash, last_snd_msg_hash,
                smp_agent_version, duplex_handshake, enable_ntfs, deleted, user_id, ratchet_sync_state,
                deleted_at_wait_delivery, pq_support)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 1, ?, ?, ?, ?, ?)
            """, outgoing.name, connection.role == .address ? "CON" : "INV",
            connection.sent.lastNumber + connection.received.lastNumber, connection.received.lastNumber,
            connection.sent.lastNumber, connection.received.lastNumber, connection.received.lastHash,
            connection.sent.lastHash, connection.agentVersion, outgoing.isDeleted && !outgoing.awaitsDelivery,
            outgoing.stored.profileID.number, connection.synchronization.officialWord,
            outgoing.awaitsDelivery ? time(now) : nil, connection.isPostQuantum)
    }

    private func insertRatchet(_ outgoing: OutgoingConnection) throws {
        let connection = outgoing.connection
        // The official agent keeps no keys after an agreement.
        let keys = connection.synchronization == .agreed ? nil : connection.agreementKeys
        guard keys != nil || connection.ratchet != nil else { return }
        // A joiner has shown its keys, and has the ratchet already; the others keep the private keys for the answer.
        let isJoiner = connection.role == .joiner
        let isPrivate = !isJoiner || connection.status == .ready
        try official.run(
            """
            INSERT INTO ratchets (conn_id, x3dh_priv_key_1, x3dh_priv_key_2, pq_priv_kem, ratchet_state, x3dh_pub_key_1,
                x3dh_pub_key_2, pq_pub_kem) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, outgoing.name, isPrivate ? keys.map { OfficialKey.der(of: $0.key1) } : nil,
            isPrivate ? keys.map { OfficialKey.der(of: $0.key2) } : nil,
            isPrivate ? keys.flatMap(OfficialRatchet.encodedPrivateKEM) : nil,
            connection.ratchet.map(OfficialRatchet.json),
            isJoiner ? connection.ratchet.map { $0.joinerKey.der } : nil,
            isPrivate ? nil : keys?.key2.publicKey.der,
            isPrivate ? nil : keys.flatMap(OfficialRatchet.encodedPublicKEM))
    }

    private func insertSkippedKeys(_ outgoing: OutgoingConnection) throws {
        guard outgoing.connection.ratchet != nil else { return }
        for key in try store.skippedKeys(of: outgoing.id).all() {
            let message = key.message
            var writer = SecretWriter()
            writer.plain.uint8(UInt8(truncatingIfNeeded: message.key.count))
            writer.secret(message.key)
            writer.plain.raw(message.iv)
            try official.run(
                "INSERT INTO skipped_messages (conn_id, header_key, msg_n, msg_key) VALUES (?, ?, ?, ?)", outgoing.name,
                key.headerKey.secret, Int64(key.number), writer.finish())
        }
    }

    /// The store does not tell hashes of messages from hashes of keys for ratchets. The official agent looks for each in its
    /// own table, and a repetition of keys must not replace a ratchet.
    private func insertSeenHashes(_ outgoing: OutgoingConnection) throws {
        for seen in try store.seenHashes(of: outgoing.id) {
            for table in ["encrypted_rcv_message_hashes", "processed_ratchet_key_hashes"] {
                try official.run(
                    "INSERT INTO \(table) (conn_id, hash, created_at, updated_at) VALUES (?, ?, ?, ?)", outgoing.name,
                    seen.hash, time(seen.time), time(seen.time))
            }
        }
    }
}

// MARK: - What only an export reads

extension AgentStore {
    func connectionIDs() throws -> [ConnectionID] {
        try database.rows("SELECT connection_id FROM connections ORDER BY connection_id") { row throws(StoreError) in
            ConnectionID(try row.int64())
        }
    }

    /// Returns the hashes of received messages, and of keys for ratchets.
    func seenHashes(of id: ConnectionID) throws -> [(hash: Bytes, time: Timestamp)] {
        try database.rows(
            "SELECT hash, seen_at FROM seen_messages WHERE connection_id = ? ORDER BY seen_at", id.number
        ) { row throws(StoreError) in (try row.bytes(), try row.timestamp()) }
    }

    /// Returns the numbers and hashes of the application's messages, which receipts may name.
    func sentMessages(of id: ConnectionID) throws -> [(number: Int64, hash: Bytes)] {
        try database.rows("SELECT number, hash FROM sent_messages WHERE connection_id = ? ORDER BY number", id.number) {
            row throws(StoreError) in (try row.int64(), try row.bytes())
        }
    }
}

extension StoredSkippedKeys {
    /// Returns all keys, in the order of their chains.
    func all() throws(StoreError) -> [SkippedKey] {
        try database.rows(
            "SELECT key FROM skipped_keys WHERE connection_id = ? ORDER BY chain, number", connectionID.number
        ) { row throws(StoreError) in
            try row.secret { secret throws(DecodeError) in try SkippedKey(stored: secret) }
        }
    }
}
