package import AgentProtocol
package import ByteCoding
import CryptoCore
import Ratchet
import SMPProtocol
package import Store

/// Reads the agent's database of the official apps.
///
/// SECURITY: the database may come from anybody. Every value is checked when it is read, and one that no version of the
/// official programs writes ends the import. The database was opened as foreign and checked before.
package struct OfficialAgent {
    let tables: ForeignTables
    /// The fingerprints of relays by place.
    let fingerprints: [String: String]

    /// What the agent does not take over.
    package enum Remainder: Hashable, Sendable, CaseIterable {
        /// Joining was interrupted before anything was sent that can be repeated.
        case unfinishedJoins
        /// Connections that were prepared, without queues.
        case emptyConnections
        /// Queues beside the current one and its replacement.
        case spareQueues
        /// Messages that wait without their content.
        case emptyMessages
        /// Push notifications of phones.
        case notifications
        /// Files that are being sent or received.
        case transfers
    }

    /// Reads the list of relays.
    package init(_ database: Database) throws(StoreError) {
        tables = ForeignTables(database)
        var fingerprints: [String: String] = [:]
        let servers = try tables.rows("host, port, key_hash", from: "servers") { row throws(StoreError) in
            (OfficialAgent.place(try row.text(), try row.text()), try row.foreignText())
        }
        for (place, fingerprint) in servers { fingerprints[place] = fingerprint }
        self.fingerprints = fingerprints
    }

    static func place(_ hosts: String, _ port: String) -> String { "\(hosts) \(port)" }

    /// A request that waits at an address.
    package struct Request {
        /// The link to the queue of the sender.
        package let link: ConnectionRequest
        /// The connection information of the sender.
        package let information: Bytes
        package let isAccepted: Bool

        package init(link: ConnectionRequest, information: Bytes, isAccepted: Bool = false) {
            self.link = link
            self.information = information
            self.isAccepted = isAccepted
        }
    }

    /// Reads a request by its id; nil if there is none.
    package func request(_ id: Bytes) throws(StoreError) -> Request? {
        try tables.first(
            "cr_invitation, recipient_conn_info, accepted", from: "conn_invitations", "WHERE invitation_id = ?", id
        ) { row throws(StoreError) in
            let text = try row.foreignText(), information = try row.bytes()
            guard let link = try? ConnectionRequest(text: text), case .invitation = link else {
                throw StoreError(.damaged)
            }
            return Request(link: link, information: information, isAccepted: try row.foreignBool())
        }
    }

    // MARK: - Connections

    /// Returns everything about connections as it is, by table.
    package func literals(of connections: [Bytes]) throws(StoreError) -> [String: [[String: String]]] {
        let ids = connections.map { "x'\(Hex.encode($0))'" }.joined(separator: ", ")
        var rows: [String: [[String: String]]] = [:]
        for table in ["connections", "rcv_queues", "snd_queues", "ratchets", "skipped_messages"] {
            rows[table] = try tables.literals(table, where: "conn_id IN (\(ids))")
        }
        return rows
    }

    /// A row of the connections.
    struct ConnectionRow {
        let id: Bytes
        let isAddress: Bool
        let agentVersion: UInt16
        let sent: MessageSequence
        let received: MessageSequence
        let synchronization: RatchetSynchronization
        let isPostQuantum: Bool
        /// Deleted: its queues are still to be deleted at their relays.
        let isDeleted: Bool
        /// Deleted when its last messages are delivered.
        let awaitsDelivery: Bool
    }

    func connections() throws(StoreError) -> [ConnectionRow] {
        try tables.rows(
            """
            conn_id, conn_mode, smp_agent_version, last_internal_snd_msg_id, last_snd_msg_hash, last_external_snd_msg_id,
            last_rcv_msg_hash, ratchet_sync_state, pq_support, deleted, deleted_at_wait_delivery
            """, from: "connections"
        ) { row throws(StoreError) in
            let id = try row.bytes()
            let isAddress: Bool =
                switch try row.text() {
                case "CON": true
                case "INV": false
                default: throw StoreError(.damaged)
                }
            let agentVersion = try row.uint16()
            let sent = try row.officialSequence(), received = try row.officialSequence()
            guard let synchronization = RatchetSynchronization(official: try row.text()) else {
                throw StoreError(.damaged)
            }
            let isPostQuantum = try row.foreignBool(), isDeleted = try row.foreignBool()
            return ConnectionRow(
                id: id, isAddress: isAddress, agentVersion: agentVersion, sent: sent, received: received,
                synchronization: synchronization, isPostQuantum: isPostQuantum, isDeleted: isDeleted,
                awaitsDelivery: try !row.isNull())
        }
    }

    /// The keys of a connection.
    struct Keys {
        /// The keys of a link, or of a synchronisation.
        var agreement: X3DHPrivateKeys?
        var ratchet: RatchetState?
        /// True if this side joined, as long as the handshake is not over.
        var isJoiner = false
    }

    func keys(of id: Bytes) throws(StoreError) -> Keys {
        try tables.first(
            "x3dh_priv_key_1, x3dh_priv_key_2, pq_priv_kem, ratchet_state, x3dh_pub_key_1", from: "ratchets",
            "WHERE conn_id = ?", id
        ) { row throws(StoreError) in
            let key1 = try row.optional { row throws(StoreError) in try row.secret() }
            let key2 = try row.optional { row throws(StoreError) in try row.secret() }
            let kem = try row.optional { row throws(StoreError) in try row.bytes() }
            var keys = Keys()
            if let key1, let key2 { keys.agreement = try OfficialRatchet.privateKeys(key1: key1, key2: key2, kem: kem) }
            keys.ratchet = try row.optional { row throws(StoreError) in
                try OfficialRatchet.ratchet(try row.foreignBytes())
            }
            keys.isJoiner = try !row.isNull()
            return keys
        } ?? Keys()
    }

    func skippedKeys(of id: Bytes, isPostQuantum: Bool) throws(StoreError) -> [SkippedKey] {
        try tables.rows(
            "header_key, msg_n, msg_key", from: "skipped_messages", "WHERE conn_id = ? ORDER BY skipped_message_id", id
        ) { row throws(StoreError) in
            let headerKey = try row.secret(size: SecretBox.keySize), number = try row.int64()
            return try OfficialRatchet.skippedKey(
                headerKey: headerKey, number: number, key: try row.bytes(), isPostQuantum: isPostQuantum)
        }
    }

    /// The confirmation of a joiner, which waits for the application or for the relay.
    struct Confirmation {
        let senderKey: AuthorizationKey?
        let information: Bytes
        let replies: [AgreedQueueAddress]
        /// The answer, if the application gave one.
        let answer: Bytes?
    }

    func confirmation(of id: Bytes) throws(StoreError) -> Confirmation? {
        try tables.first(
            "sender_key, sender_conn_info, smp_reply_queues, accepted, own_conn_info", from: "conn_confirmations",
            "WHERE conn_id = ? ORDER BY accepted DESC, created_at DESC", id
        ) { row throws(StoreError) in
            let senderKey = try row.optional { row throws(StoreError) in try row.authorizationKey() }
            let information = try row.bytes()
            let encoded = try row.optional { row throws(StoreError) in try row.bytes() } ?? []
            var replies: [AgreedQueueAddress] = []
            if !encoded.isEmpty {
                var reader = ByteReader(encoded)
                guard let list = try? reader.nonEmptyList(of: AgreedQueueAddress.self) else {
                    throw StoreError(.damaged)
                }
                replies = list
            }
            let isAccepted = try row.foreignBool()
            let answer = try row.optional { row throws(StoreError) in try row.bytes() }
            return Confirmation(
                senderKey: senderKey, information: information, replies: replies, answer: isAccepted ? answer : nil)
        }
    }
}

extension Row {
    /// Reads the number and the hash of the last message of a direction.
    fileprivate mutating func officialSequence() throws(StoreError) -> MessageSequence {
        let number = try int64(), hash = try bytes()
        // A number near the end could not be counted on.
        guard (0..<Int64.max / 2).contains(number), hash.isEmpty || hash.count == 32 else { throw StoreError(.damaged) }
        return MessageSequence(lastNumber: number, lastHash: hash)
    }
}

extension RatchetSynchronization {
    /// Reads the word of the official programs.
    init?(official word: String) {
        guard let known = RatchetSynchronization.allCases.first(where: { $0.officialWord == word }) else { return nil }
        self = known
    }

    /// The word of the official programs.
    var officialWord: String {
        switch self {
        case .ok: "ok"
        case .allowed: "allowed"
        case .required: "required"
        case .started: "started"
        case .agreed: "agreed"
        }
    }
}
