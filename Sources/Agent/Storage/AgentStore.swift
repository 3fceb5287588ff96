import AgentProtocol
import ByteCoding
import CryptoCore
import PageCipher
import Ratchet
import SMPProtocol
import Store

/// A stored connection.
struct StoredConnection {
    let id: ConnectionID
    let profileID: ProfileID
    var connection: Connection
}

/// The agent's database: a mapping between rows and values, without decisions.
struct AgentStore {
    let database: Database

    init(
        _ path: String, _ access: Database.Access, key: StoreKey?, slots: KeySlots?, _ durability: Database.Durability
    ) throws {
        database = try Database(path, access, key: key, slots: slots, durability: durability)
        try database.complete(AgentSchema.migrations, access)
    }

    /// Uses an open database with the agent's tables.
    init(database: Database) {
        self.database = database
    }

    // MARK: - Connections

    func insert(_ stored: StoredConnection, at time: Timestamp) throws {
        try database.run(
            """
            INSERT INTO connections (connection_id, profile_id, role, status, agent_version, is_post_quantum, sent_number,
                sent_hash, received_number, received_hash, created_at) VALUES (?, ?, ?, 0, 0, 0, 0, x'', 0, x'', ?)
            """, stored.id.number, stored.profileID.number, stored.connection.role.rawValue, time)
        try save(stored)
    }

    func contains(_ id: ConnectionID) throws -> Bool {
        try database.first("SELECT 1 FROM connections WHERE connection_id = ?", id.number) { _ in true } ?? false
    }

    func save(_ stored: StoredConnection) throws {
        let connection = stored.connection
        try database.run(
            """
            UPDATE connections SET status = ?, agent_version = ?, is_post_quantum = ?, agreement_keys = ?, ratchet = ?,
                sent_number = ?, sent_hash = ?, received_number = ?, received_hash = ?, own_information = ?,
                waiting_sender_key = ?, receive_rotation = ?, send_rotation = ?, synchronization = ?,
                offer_day = ?, offer_count = ?, agreed_parameters = ?, waits_since = ?,
                other_ratchet = ? WHERE connection_id = ?
            """, connection.status.rawValue, connection.agentVersion, connection.isPostQuantum,
            connection.agreementKeys?.stored(), connection.ratchet?.stored(), connection.sent.lastNumber,
            connection.sent.lastHash, connection.received.lastNumber, connection.received.lastHash,
            connection.ownInformation, connection.waitingSenderKey?.der,
            connection.receiveRotation?.stage.rawValue, connection.sendRotation?.stage.rawValue,
            connection.synchronization.rawValue, connection.offersToday.day, connection.offersToday.count,
            connection.uncertainAgreement?.parameters.encoded,
            connection.uncertainAgreement?.waitsSince, connection.uncertainAgreement?.otherRatchet?.stored(),
            stored.id.number)
        try saveQueues(of: stored)
    }

    /// Stores a connection after a message of the application, which changes nothing else than this.
    func saveSent(_ stored: StoredConnection) throws {
        let connection = stored.connection
        try database.run(
            """
            UPDATE connections SET is_post_quantum = ?, ratchet = ?, sent_number = ?, sent_hash = ? WHERE connection_id = ?
            """, connection.isPostQuantum, connection.ratchet?.stored(), connection.sent.lastNumber,
            connection.sent.lastHash, stored.id.number)
    }

    /// Returns the profile of a connection.
    func profile(of id: ConnectionID) throws -> ProfileID? {
        try database.first("SELECT profile_id FROM connections WHERE connection_id = ?", id.number) {
            row throws(StoreError) in ProfileID(try row.int64())
        }
    }

    func connection(_ id: ConnectionID) throws -> StoredConnection? {
        let receiveQueues = try receiveQueues(of: id)
        let sendQueues = try sendQueues(of: id)
        return try database.first(
            """
            SELECT profile_id, role, status, agent_version, is_post_quantum, agreement_keys, ratchet, sent_number, sent_hash,
                received_number, received_hash, own_information, waiting_sender_key, receive_rotation,
                send_rotation, offer_day, offer_count, synchronization, agreed_parameters, waits_since,
                other_ratchet
            FROM connections WHERE connection_id = ?
            """, id.number
        ) { row throws(StoreError) in
            let profileID = ProfileID(try row.int64())
            let role: Connection.Role = try row.code()
            let status: Connection.Status = try row.code()
            let connection = Connection(
                role: role, status: status, agentVersion: try row.uint16(), isPostQuantum: try row.bool(),
                agreementKeys: try row.optionalSecret { secret throws(DecodeError) in
                    try X3DHPrivateKeys(stored: secret)
                },
                ratchet: try row.optionalSecret { secret throws(DecodeError) in try RatchetState(stored: secret) },
                sent: MessageSequence(lastNumber: try row.int64(), lastHash: try row.bytes()),
                received: MessageSequence(lastNumber: try row.int64(), lastHash: try row.bytes()),
                ownInformation: try row.optional { row throws(StoreError) in try row.bytes() },
                waitingSenderKey: try row.optional { row throws(StoreError) in try row.authorizationKey() },
                receiveQueue: receiveQueues[.current], sendQueue: sendQueues[.current],
                receiveRotation: try row.optional { row throws(StoreError) in
                    ReceiveRotation(stage: try row.code(), queue: receiveQueues[.next] ?? receiveQueues[.former])
                },
                sendRotation: try row.optional { row throws(StoreError) in
                    SendRotation(stage: try row.code(), queue: sendQueues[.next])
                },
                offersToday: RotationOffers(day: try row.int64(), count: try row.int()),
                synchronization: try row.code(),
                uncertainAgreement: try row.optional { row throws(StoreError) in try row.uncertainAgreement() })
            return StoredConnection(id: id, profileID: profileID, connection: connection)
        }
    }

    /// Returns the connections that wait for a message that decides the roles of an agreement.
    func undecidedAgreements() throws -> [ConnectionID] {
        try database.rows("SELECT connection_id FROM connections WHERE waits_since IS NOT NULL") {
            row throws(StoreError) in ConnectionID(try row.int64())
        }
    }

    /// Removes a connection with all its rows, except events that the application has not taken over.
    func remove(_ id: ConnectionID) throws {
        try database.run("DELETE FROM connections WHERE connection_id = ?", id.number)
    }

    // MARK: - Seen messages

    func hasSeen(_ hash: Bytes, in id: ConnectionID) throws -> Bool {
        // Former versions did not store the connection of a hash.
        try database.first(
            "SELECT 1 FROM seen_messages WHERE hash = ? AND (connection_id = ? OR connection_id IS NULL)", hash,
            id.number
        ) { _ in true } ?? false
    }

    func noteSeen(_ hash: Bytes, in id: ConnectionID, at time: Timestamp) throws {
        try database.run(
            "INSERT OR IGNORE INTO seen_messages (hash, seen_at, connection_id) VALUES (?, ?, ?)", hash, time, id.number
        )
    }

    /// Removes all hashes of a connection but the newest `count`.
    func limitSeen(in id: ConnectionID, to count: Int) throws {
        try database.run(
            """
            DELETE FROM seen_messages WHERE hash IN (
                SELECT hash FROM seen_messages WHERE connection_id = ? ORDER BY seen_at DESC LIMIT -1 OFFSET ?)
            """, id.number, count)
    }

    func removeExpired(before time: Timestamp) throws {
        try database.run("DELETE FROM seen_messages WHERE seen_at < ?", time)
        try removeSkippedKeys(before: time)
        try database.run("DELETE FROM discarded_queues WHERE discarded_at < ?", time)
        try database.run("DELETE FROM reading_crashes WHERE crashed_at < ?", time)
        try removeUnusedServers()
    }
}

extension Row {
    /// Reads a raw value of a closed list.
    mutating func code<Code: RawRepresentable<Int64>>() throws(StoreError) -> Code {
        guard let code = Code(rawValue: try int64()) else { throw StoreError(.damaged) }
        return code
    }

    /// Reads a value made of secret bytes.
    mutating func secret<Value>(_ decode: (Secret) throws(DecodeError) -> Value) throws(StoreError) -> Value {
        let stored = try secret()
        do throws(DecodeError) { return try decode(stored) } catch { throw StoreError(.damaged) }
    }

    mutating func optionalSecret<Value>(
        _ decode: (Secret) throws(DecodeError) -> Value
    ) throws(StoreError) -> Value? {
        try optional { row throws(StoreError) in try row.secret(decode) }
    }

    mutating func authorizationKey() throws(StoreError) -> AuthorizationKey {
        let der = try bytes()
        do throws(DecodeError) { return try AuthorizationKey(der: der) } catch { throw StoreError(.damaged) }
    }
}

extension Row {
    /// Reads the three columns of an agreement with uncertain roles.
    fileprivate mutating func uncertainAgreement() throws(StoreError) -> UncertainAgreement {
        guard let parameters = try? RatchetParameters(decoding: try bytes()) else { throw StoreError(.damaged) }
        return UncertainAgreement(
            parameters: parameters, waitsSince: try optional { row throws(StoreError) in try row.timestamp() },
            otherRatchet: try optionalSecret { secret throws(DecodeError) in try RatchetState(stored: secret) })
    }
}
