package import AgentProtocol
package import ByteCoding
import CryptoCore
import Ratchet
import SMPProtocol
package import Store

/// Takes the connections of an official agent over into an empty database of this program's agent.
///
/// The keys and ratchets of both are the same, so only one of the two may go on.
package struct OfficialAgentImport {
    private let official: OfficialAgent
    private let store: AgentStore
    private let now: Timestamp
    /// How much was not taken over.
    package private(set) var remainders: [OfficialAgent.Remainder: Int] = [:]

    /// What a connection is called here.
    package struct Target: Hashable, Sendable {
        package let id: ConnectionID
        package let profileID: ProfileID
        /// False if the application does not know yet that both sides can send, once they can.
        package let isReady: Bool

        package init(id: ConnectionID, profileID: ProfileID, isReady: Bool) {
            self.id = id
            self.profileID = profileID
            self.isReady = isReady
        }
    }

    /// What the application keeps of a connection.
    package struct State: Hashable, Sendable {
        package let synchronization: RatchetSynchronization
        /// True if one of the queues is being replaced.
        package let movesOwnQueue: Bool
        package let movesContactQueue: Bool
    }

    /// Begins an import into a database with the agent's tables and nothing in them.
    package init(_ official: OfficialAgent, into database: Database, at now: Timestamp) {
        self.official = official
        store = AgentStore(database: database)
        self.now = now
    }

    /// Takes all connections over, as one transaction.
    ///
    /// - Parameters:
    ///   - targets: The connections that the application knows, by their ids there. The others are deleted: their queues are
    ///     deleted at their relays, with the sessions of `owner`.
    ///   - untouched: Connections that the application keeps as they are: nothing is deleted.
    ///   - token: Finds the token of a message that the application sent, by the connection and the number there.
    /// - Returns: The connections that are there now.
    package mutating func run(
        _ targets: [Bytes: Target], untouched: Set<Bytes> = [], owner: ProfileID,
        token: (Bytes, Int64) throws -> Bytes?
    ) throws -> [ConnectionID: State] {
        var taken: [ConnectionID: State] = [:]
        try store.database.transaction {
            // Events are in the order in which they came.
            var events: [(time: Timestamp, target: Target, content: AgentEvent.Content)] = []
            for row in try official.connections() {
                guard let target = targets[row.id] else {
                    if !untouched.contains(row.id) { try discard(row, of: owner) }
                    continue
                }
                taken[target.id] = try take(row, target, &events, token: token)
            }
            for event in events.sorted(by: { $0.time < $1.time }) {
                _ = try store.append(event.content, of: event.target.id, event.target.profileID)
            }
            try takeOpeningKeys(Set(targets.values.map(\.profileID)))
            try takeNotices()
            try countRest()
        }
        return taken
    }

    private mutating func note(_ remainder: OfficialAgent.Remainder, _ count: Int = 1) {
        if count > 0 { remainders[remainder, default: 0] += count }
    }

    // MARK: - Connections

    private mutating func take(
        _ row: OfficialAgent.ConnectionRow, _ target: Target,
        _ events: inout [(time: Timestamp, target: Target, content: AgentEvent.Content)],
        token: (Bytes, Int64) throws -> Bytes?
    ) throws -> State? {
        let waiting = try official.waitingMessages(of: row.id)
        let parts = OfficialAgent.Parts(
            row: row, keys: try official.keys(of: row.id),
            receiveQueues: try official.receiveQueues(of: row.id, isAddress: row.isAddress),
            sendQueues: try official.sendQueues(of: row.id), commands: try official.commands(of: row.id),
            waiting: Set(waiting.messages.map(\.message.kind)))
        var noted: [OfficialAgent.Remainder] = []
        let made = row.isDeleted ? nil : try official.connection(parts) { noted.append($0) }
        for remainder in noted { note(remainder) }
        guard var made else {
            for queue in parts.receiveQueues { try discard(queue.queue, of: target.profileID) }
            return nil
        }
        if row.awaitsDelivery {
            let step = made.connection.delete()
            made.lastTasks += step.tasks
            made.discarded += step.discarded
        }
        let stored = StoredConnection(id: target.id, profileID: target.profileID, connection: made.connection)
        try store.insert(stored, at: now)
        for queue in made.discarded { try discard(queue, of: target.profileID) }
        if let link = made.link { try store.insert(StoredLink(link: link.link, server: link.server), of: target.id) }
        for task in made.firstTasks { try store.append(task, of: target.id, at: now) }
        if !made.restarts {
            note(.emptyMessages, waiting.empty)
            for message in waiting.messages {
                try store.append(.send(message.message), of: target.id, at: message.createdAt)
            }
            try takeSentMessages(row.id, target, token: token)
        }
        for task in made.lastTasks { try store.append(task, of: target.id, at: now) }
        try takeSkippedKeys(row.id, target, isPostQuantum: parts.keys.ratchet?.sendsPostQuantum ?? false)
        for seen in try official.seenHashes(of: row.id) { try store.noteSeen(seen.hash, in: target.id, at: seen.time) }
        if made.connection.status == .ready, !target.isReady {
            made.events.append(.con(isPostQuantum: made.connection.sendsPostQuantum))
        }
        for event in made.events { events.append((now, target, .connection(event))) }
        try takeReceived(row.id, target, parts.commands, &events)
        return State(
            synchronization: made.connection.synchronization, movesOwnQueue: made.connection.receiveRotation != nil,
            movesContactQueue: made.connection.sendRotation != nil)
    }

    private func takeSentMessages(
        _ id: Bytes, _ target: Target, token: (Bytes, Int64) throws -> Bytes?
    ) throws {
        var used: Set<Bytes> = []
        for message in try official.sentMessages(of: id) {
            var name = try token(id, message.internalID) ?? []
            // A token names one message, and one that the application forgot needs a name too.
            if name.isEmpty || name.count > UInt8.max || !used.insert(name).inserted {
                name = Secret(random: SystemRandom(), count: 16).copyBytes()
            }
            let sent = OutgoingMessage(
                kind: .content, number: message.number, hash: message.hash, notifies: false, envelope: [])
            try store.noteSent(sent, token: name, in: target.id)
        }
    }

    private func takeSkippedKeys(_ id: Bytes, _ target: Target, isPostQuantum: Bool) throws {
        let keys = try official.skippedKeys(of: id, isPostQuantum: isPostQuantum)
        guard !keys.isEmpty else { return }
        // The headers of one chain share a key, by which the store knows the chain.
        let grouped = Dictionary(grouping: keys) { $0.headerKey.secret.copyBytes() }
        for chain in grouped.values {
            var numbers: Set<UInt32> = []
            let unique = chain.filter { numbers.insert($0.number).inserted }
            try store.skippedKeys(of: target.id).apply(.added(unique), at: now)
        }
    }

    /// What the official application has not processed becomes an event; what it has acknowledged may be confirmed.
    private func takeReceived(
        _ id: Bytes, _ target: Target, _ commands: [OfficialCommand],
        _ events: inout [(time: Timestamp, target: Target, content: AgentEvent.Content)]
    ) throws {
        var acknowledged: [Int64: Bool] = [:]
        for case .acknowledge(let number, let confirms) in commands { acknowledged[number] = confirms }
        for message in try official.unacknowledgedMessages(of: id) {
            switch (message.content, acknowledged[message.internalID]) {
            case (.message(let received), nil):
                events.append((message.receivedAt, target, .connection(.msg(received))))
            case (.message(let received), true?):
                try store.database.run(
                    "INSERT OR IGNORE INTO due_receipts (connection_id, number, hash) VALUES (?, ?, ?)",
                    target.id.number, received.number, received.hash)
            case (.receipts(let receipts), nil):
                let known = try receipts.compactMap { receipt in
                    try store.sentMessage(receipt.number, in: target.id).map { message in
                        DeliveryReceipt(token: message.token, isIntact: message.hash == receipt.hash)
                    }
                }
                if !known.isEmpty { events.append((message.receivedAt, target, .rcvd(known))) }
            case (.message, false?), (.receipts, _?): break
            }
        }
    }

    // MARK: - The rest

    private func discard(_ row: OfficialAgent.ConnectionRow, of profileID: ProfileID) throws {
        for queue in try official.receiveQueues(of: row.id, isAddress: row.isAddress) {
            try discard(queue.queue, of: profileID)
        }
    }

    private func discard(_ queue: ReceiveQueue, of profileID: ProfileID) throws {
        try store.database.run(
            """
            INSERT INTO discarded_queues (profile_id, server_id, recipient_id, authorization_key, discarded_at)
            VALUES (?, ?, ?, ?, ?)
            """, profileID.number, try store.serverID(queue.server), queue.recipientID.bytes,
            queue.authorizationKey.stored, now)
    }

    /// Imports the keys of opened invitations: a relay accepts no other key for them.
    private func takeOpeningKeys(_ profileIDs: Set<ProfileID>) throws {
        let keys = try official.tables.rows(
            "host, port, server_key_hash, link_id, link_key, snd_private_key", from: "inv_short_links"
        ) { row throws(StoreError) in
            let server = try row.officialServer(official.fingerprints)
            let linkID = try row.entityID(), linkKey = try row.bytes()
            guard linkKey.count == 32 else { throw StoreError(.damaged) }
            let link = ShortLink(target: .invitation(linkID), server: server, key: ShortLinkKey(linkKey))
            return (link: link, key: try OfficialKey.ed25519(try row.secret()))
        }
        for entry in keys {
            for id in profileIDs { try store.insertOpeningKey(entry.key, of: entry.link, id) }
        }
    }

    /// Imports the notices with which relays refuse new addresses.
    private func takeNotices() throws {
        let notices = try official.tables.rows(
            "host, port, server_key_hash, entity_id, notice_ttl, created_at", from: "client_notices",
            "WHERE protocol = 'smp'"
        ) { row throws(StoreError) in
            let server = try row.officialServer(official.fingerprints), recipientID = try row.entityID()
            let seconds = try row.optional { row throws(StoreError) in try row.int64() }
            return StoredNotice(
                server: server, recipientID: recipientID, seconds: seconds,
                notedAt: Timestamp(seconds: try row.int64()).clamped)
        }
        for notice in notices {
            try store.insertNotice(
                of: notice.recipientID, at: notice.server, seconds: notice.seconds, notice.notedAt)
        }
    }

    private mutating func countRest() throws {
        note(.notifications, try official.tables.count("ntf_tokens"))
        note(.transfers, try official.tables.count("rcv_files", where: "status NOT IN ('complete', 'error')"))
        note(.transfers, try official.tables.count("snd_files", where: "status NOT IN ('complete', 'error')"))
    }
}
