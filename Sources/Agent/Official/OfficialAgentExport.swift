package import AgentProtocol
package import ByteCoding
import CryptoCore
import Ratchet
package import SMPProtocol
package import Store

/// Hands the connections of this program's agent over to an empty database of the official agent.
///
/// The keys and ratchets of both are the same, so only one of the two may go on.
package struct OfficialAgentExport {
    let store: AgentStore
    let official: Database
    let now: Timestamp
    let random = SystemRandom()
    /// What the official agent calls the connections.
    private var ids: [ConnectionID: Bytes] = [:]
    /// The fingerprints of relays in its list, by place.
    private var fingerprints: [String: Bytes] = [:]
    private var users: Set<ProfileID> = []
    /// How much was not handed over.
    package private(set) var remainders: [Remainder: Int] = [:]

    /// What the official agent does not take over.
    package enum Remainder: Hashable, Sendable, CaseIterable {
        /// Connections whose handshake is in a state that the official agent does not have.
        case unfinishedJoins
        /// Connections with records that cannot be read.
        case damagedConnections
        /// Replacements of queues in a state that the official agent does not have. They can begin again.
        case rotations
        /// What was received and is in no conversation yet.
        case events
        /// Changes of links that their relays do not have yet.
        case linkChanges
        /// Keys for links that were opened and not used.
        case openedLinks
    }

    /// Begins an export.
    ///
    /// - Parameters:
    ///   - agent: The database of this program's agent, which is only read.
    ///   - official: An empty database with the tables of the official agent.
    package init(_ agent: Database, into official: Database, at now: Timestamp) {
        store = AgentStore(database: agent)
        self.official = official
        self.now = now
    }

    /// Hands all connections over, as one transaction.
    ///
    /// - Parameter profiles: The profiles, whose numbers are those of the users there.
    package mutating func run(profiles: [ProfileID]) throws {
        var export = self
        try official.transaction {
            for profile in profiles { try export.addUser(profile, isDeleted: false) }
            // The official agent looks for this row at every start.
            let time = export.time(export.now)
            try official.run(
                "INSERT INTO servers_stats (servers_stats_id, started_at, created_at, updated_at) VALUES (1, ?, ?, ?)",
                time, time, time)
            for id in try export.store.connectionIDs() { try export.add(id) }
            for queue in try export.store.discardedQueues() { try export.addDiscarded(queue) }
            for notice in try export.store.notices() { try export.add(notice) }
            export.note(.events, try export.count("events"))
            export.note(.openedLinks, try export.unusedOpeningKeys())
        }
        self = export
    }

    /// Returns what the official agent calls a connection; nil if it was not handed over.
    package func connectionID(_ id: ConnectionID) -> Bytes? { ids[id] }

    /// Returns the official agent's number of a message that was sent with a token: receipts name it by this number.
    package func messageNumber(_ token: Bytes, in id: ConnectionID) throws -> Int64? {
        ids[id] == nil ? nil : try store.number(of: token, in: id)
    }

    /// Turns off push notifications of a connection, which the official agent turns on.
    package func disableNotifications(of id: ConnectionID) throws {
        guard let name = ids[id] else { return }
        try official.run("UPDATE connections SET enable_ntfs = 0 WHERE conn_id = ?", name)
    }

    /// Adds a request that waits at an address.
    ///
    /// - Returns: Its id there.
    package mutating func addRequest(
        _ request: OfficialAgent.Request, at address: ConnectionID
    ) throws -> Bytes {
        let id = newID()
        try official.run(
            """
            INSERT INTO conn_invitations (invitation_id, contact_conn_id, cr_invitation, recipient_conn_info, accepted,
                created_at) VALUES (?, ?, ?, ?, ?, ?)
            """, id, ids[address], Bytes(request.link.description.utf8), request.information, request.isAccepted,
            time(now))
        return id
    }

    /// Adds the key with which a profile has opened an invitation, if there is one: the relay accepts no other key.
    ///
    /// - Parameter request: The full link that was read, by whose queue the official agent finds the key when it joins.
    package mutating func addOpenedLink(
        _ link: ShortLink, leadingTo request: ConnectionRequest? = nil, of profileID: ProfileID
    ) throws {
        guard let key = try store.openingKey(of: link, profileID) else { return }
        let queue = request?.queues.first.location
        // The queue is on the relay of the link, which may have more names there.
        let server = try place(queue?.server ?? link.server)
        try official.run(
            """
            INSERT INTO inv_short_links (host, port, server_key_hash, link_id, link_key, snd_private_key, snd_id)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, server.host, server.port, server.ownFingerprint, link.linkID.bytes, link.key.bytes,
            OfficialKey.der(of: key), queue?.senderID.bytes)
        if let count = remainders[.openedLinks] { remainders[.openedLinks] = count > 1 ? count - 1 : nil }
    }

    // MARK: - Parts

    mutating func note(_ remainder: Remainder, _ count: Int = 1) {
        if count > 0 { remainders[remainder, default: 0] += count }
    }

    mutating func name(_ id: ConnectionID) -> Bytes {
        let name = newID()
        ids[id] = name
        return name
    }

    /// A new id as the official agent makes them: the base64url text of 12 random bytes.
    func newID() -> Bytes { Bytes(Base64URL.encode(random.bytes(12)).utf8) }

    func time(_ time: Timestamp) -> String { ForeignTime.text(time) }

    mutating func addUser(_ profileID: ProfileID, isDeleted: Bool) throws {
        guard users.insert(profileID).inserted else { return }
        try official.run("INSERT INTO users (user_id, deleted) VALUES (?, ?)", profileID.number, isDeleted)
    }

    /// A relay in the columns of the official agent.
    struct Place {
        let host: String
        let port: String
        /// The fingerprint, if the list of relays has another one for this place.
        let ownFingerprint: Bytes?
    }

    /// Returns the place of a relay, which is in the list of relays from then on.
    mutating func place(_ server: ServerAddress) throws -> Place {
        let (host, port) = server.officialPlace
        let fingerprint = Bytes(Base64URL.encode(server.fingerprint).utf8)
        let key = OfficialAgent.place(host, port)
        if let known = fingerprints[key] {
            return Place(host: host, port: port, ownFingerprint: known == fingerprint ? nil : fingerprint)
        }
        fingerprints[key] = fingerprint
        try official.run(
            "INSERT INTO servers (host, port, key_hash) VALUES (?, ?, ?)", host, port, fingerprint)
        return Place(host: host, port: port, ownFingerprint: nil)
    }

    private func count(_ table: String) throws -> Int {
        try store.database.first("SELECT count(*) FROM \(table)") { row throws(StoreError) in try row.int() } ?? 0
    }

    /// The keys that no queue uses: the official agent needs the relay of the link too, which only the application knows.
    private func unusedOpeningKeys() throws -> Int {
        try store.database.first(
            "SELECT count(*) FROM opening_keys WHERE key NOT IN (SELECT authorization_key FROM send_queues)"
        ) { row throws(StoreError) in try row.int() } ?? 0
    }

    // MARK: - Notices

    /// Adds the notice of a relay with a blocked queue. Apps before 6.5 have no rule for it: there nothing is added, and the
    /// relay sends the notice again.
    private mutating func add(_ notice: StoredNotice) throws {
        guard try !official.columns(of: "client_notices").isEmpty else { return }
        let server = try place(notice.server), noted = notice.notedAt.milliseconds / 1000
        try official.run(
            """
            INSERT INTO client_notices (protocol, host, port, entity_id, server_key_hash, notice_ttl, created_at,
                updated_at) VALUES ('smp', ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """, server.host, server.port, notice.recipientID.bytes, server.ownFingerprint, notice.seconds, noted,
            noted)
        try official.run(
            """
            UPDATE rcv_queues SET client_notice_id = (
                SELECT client_notice_id FROM client_notices n
                WHERE n.protocol = 'smp' AND n.host = ?1 AND n.port = ?2 AND n.entity_id = ?3)
            WHERE host = ?1 AND port = ?2 AND rcv_id = ?3
            """, server.host, server.port, notice.recipientID.bytes)
    }

    // MARK: - Deleted queues

    /// Adds a queue that its relay has still to delete.
    private mutating func addDiscarded(_ queue: DiscardedQueue) throws {
        // A deletion needs the recipient id and the key. The other values are random.
        let unused = ReceiveQueue(
            server: queue.server, recipientID: queue.recipientID, senderID: EntityID(random.bytes(SMP.idSize)),
            mode: nil, authorizationKey: queue.key, relaySecret: Secret(copying: random.bytes(32)),
            agreementKey: X25519.PrivateKey(random: random))
        try addAbandoned(unused, of: queue.profileID)
    }
}

extension ServerAddress {
    /// The hosts and the port as the official databases have them.
    package var officialPlace: (hosts: String, port: String) {
        (hosts.map(\.description).joined(separator: ","), port.map { "\($0)" } ?? "")
    }
}
