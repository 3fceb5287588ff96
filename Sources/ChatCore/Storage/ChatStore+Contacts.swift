import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store

extension ChatStore {
    static let connectionColumns = """
        connections.connection_id, connections.profile_id, connections.contact_id,
        connections.status, is_initiated, link, short_link, wished_name, chat_version, peer_versions,
        connections.created_at, connections.updated_at, pq_wanted, pq_sent, pq_received, auth_errors, quota_errors,
        is_refused, moves_own_queue, moves_contact_queue, incognito, synchronization, connections.alias,
        connections.request_key, address_id, connections.member_id
        """

    /// What ``Row/contact()`` reads, of `contacts` and `chats`, which ``currentConnection`` follows.
    static let contactColumns = """
        contacts.contact_id, contacts.profile_id, contacts.name, contacts.profile, contacts.status,
        contacts.created_at, contacts.updated_at, contacts.sends_receipts, chats.unread_count, \(activity),
        contacts.is_muted, contacts.is_blocked, contacts.verified_code, contacts.verified_at, chats.retention,
        chats.expiry, contacts.code_changed_at, contacts.prepared, contacts.request_id,
        \(ChatMarks.columns), \(ContactChoices.columns), \(connectionColumns)
        """

    /// The connection of a contact that messages are sent through: the newest that did not fail. A contact has several if a
    /// member invited the user again, or if two contacts were merged.
    static let currentConnection = """
        LEFT JOIN connections ON connections.connection_id =
            (SELECT all_connections.connection_id FROM connections AS all_connections
             WHERE all_connections.contact_id = contacts.contact_id
             ORDER BY all_connections.status = 'failed', all_connections.connection_id DESC LIMIT 1)
        """

    /// The time of the last entry of a chat; NULL if it has none.
    static let activity = "CASE WHEN chats.last_item_id IS NULL THEN NULL ELSE chats.active_at END"

    private static let contactQuery =
        "SELECT \(contactColumns) FROM contacts JOIN chats USING (contact_id) \(currentConnection)"

    // MARK: - Contacts

    func contacts(of id: ProfileID) throws -> [Contact] {
        try contacts("WHERE contacts.profile_id = ? ORDER BY contacts.name", id.number)
    }

    func contact(_ id: ContactID) throws -> Contact? {
        try contacts("WHERE contacts.contact_id = ?", id.number).first
    }

    func contact(named name: String, of id: ProfileID) throws -> Contact? {
        try database.first(
            "\(ChatStore.contactQuery) WHERE contacts.profile_id = ?1 AND (contacts.name = ?2 OR contacts.presented_name = ?2)",
            id.number, name
        ) { row throws(StoreError) in try row.contact() }
    }

    func contactCount(of id: ProfileID) throws -> Int {
        try database.first("SELECT count(*) FROM contacts WHERE profile_id = ?", id.number) { row throws(StoreError) in
            try row.int()
        } ?? 0
    }

    private func contacts(_ condition: String, _ value: Int64) throws -> [Contact] {
        try database.rows("\(ChatStore.contactQuery) \(condition)", value) { row throws(StoreError) in
            try row.contact()
        }
    }

    /// The contacts of all profiles that somebody has to look after: whose ratchets are out of step, or whose security code
    /// changed after it was compared. A blocked contact could make itself one of them at will.
    func contactsInTrouble() throws -> [Contact] {
        try database.rows(
            """
            \(ChatStore.contactQuery) WHERE contacts.status = 'active' AND contacts.is_blocked = 0 AND (
                contacts.contact_id IN (SELECT contact_id FROM connections WHERE synchronization != 0)
                OR contacts.code_changed_at IS NOT NULL)
            ORDER BY contacts.contact_id
            """
        ) { row throws(StoreError) in try row.contact() }
    }

    /// A contact and its empty conversation.
    func insertContact(
        _ profile: Profile, named name: String, of id: ProfileID, at time: Timestamp
    ) throws -> ContactID {
        try take(name, in: id)
        try database.run(
            """
            INSERT INTO contacts (profile_id, name, profile, status, created_at, updated_at)
            VALUES (?, ?, ?, ?, ?, ?)
            """, id.number, name, profile.json.line, Contact.Status.active.rawValue, time, time)
        let contactID = ContactID(database.lastInsertedID)
        try database.run(
            "INSERT INTO chats (profile_id, contact_id, active_at) VALUES (?, ?, ?)", id.number, contactID.number, time)
        return contactID
    }

    /// Removes a contact with all that belongs to it, but for its name.
    func removeContact(_ id: ContactID) throws {
        try database.run("DELETE FROM contacts WHERE contact_id = ?", id.number)
    }

    func update(_ id: ContactID, profile: Profile, at time: Timestamp) throws {
        try database.run(
            "UPDATE contacts SET profile = ?, updated_at = ? WHERE contact_id = ?", profile.json.line, time, id.number)
        try database.run(
            "UPDATE group_members SET profile = ?, updated_at = ? WHERE contact_id = ?",
            profile.forMembers().json.line, time, id.number)
    }

    func update(_ id: ContactID, status: Contact.Status, at time: Timestamp) throws {
        try database.run(
            "UPDATE contacts SET status = ?, updated_at = ? WHERE contact_id = ?", status.rawValue, time, id.number)
    }

    /// The most events of a contact that are kept for a later version.
    private static let mostKept = 100

    /// Keeps an event that this version does not know; the oldest of the contact is dropped if there are too many.
    func keep(_ body: Bytes, from id: ContactID, at time: Timestamp) throws {
        try database.run(
            "INSERT INTO kept_events (contact_id, body, received_at) VALUES (?, ?, ?)", id.number, body, time)
        try database.run(
            """
            DELETE FROM kept_events WHERE contact_id = ?1 AND kept_event_id <= (
                SELECT kept_event_id FROM kept_events WHERE contact_id = ?1
                ORDER BY kept_event_id DESC LIMIT 1 OFFSET ?2)
            """, id.number, Int64(ChatStore.mostKept))
    }

    // MARK: - Connections

    /// - Parameter incognito: The profile that was made up for the connection.
    func insertConnection(
        of id: ProfileID, as incognito: Profile?, status: ContactConnection.Status, isInitiated: Bool, link: String?,
        requestedName: String?, at time: Timestamp
    ) throws -> ConnectionID {
        try database.run(
            """
            INSERT INTO connections (profile_id, incognito, status, is_initiated, link, wished_name, created_at,
                updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, id.number, incognito?.json.line, status.rawValue, isInitiated, link, requestedName, time, time)
        return ConnectionID(database.lastInsertedID)
    }

    func removeConnection(_ id: ConnectionID) throws {
        try database.run("DELETE FROM connections WHERE connection_id = ?", id.number)
    }

    func connection(_ id: ConnectionID) throws -> ContactConnection? {
        try connections("connection_id = ?", id.number).first
    }

    /// The newest connection through a link, unless it failed or was deleted.
    func connection(through link: String, of id: ProfileID) throws -> ContactConnection? {
        try database.first(
            """
            SELECT \(ChatStore.connectionColumns) FROM connections
            WHERE profile_id = ?1 AND is_address = 0 AND status NOT IN ('failed', 'deleted')
                AND (link = ?2 OR short_link = ?2)
            ORDER BY connection_id DESC LIMIT 1
            """, id.number, link
        ) { row throws(StoreError) in try row.connection() }
    }

    /// Connections whose handshake has only just begun here.
    func beginningConnections() throws -> [ContactConnection] {
        try connections("status IN ('new', 'prepared')", nil)
    }

    /// The connections that are not with a contact yet.
    func pendingConnections(of id: ProfileID) throws -> [ContactConnection] {
        try connections(
            """
            profile_id = ? AND contact_id IS NULL AND member_id IS NULL AND is_address = 0 AND status != 'deleted'
            """, id.number)
    }

    /// All connections that may receive, those of addresses too.
    func livingConnections() throws -> [ContactConnection] {
        try connections("status NOT IN ('deleted', 'failed')", nil)
    }

    private func connections(_ condition: String, _ value: Int64?) throws -> [ContactConnection] {
        let query = """
            SELECT \(ChatStore.connectionColumns) FROM connections WHERE \(condition) ORDER BY connection_id
            """
        if let value {
            return try database.rows(query, value) { row throws(StoreError) in try row.connection() }
        }
        return try database.rows(query) { row throws(StoreError) in try row.connection() }
    }

    func update(_ id: ConnectionID, link: LinkText) throws {
        try database.run(
            "UPDATE connections SET link = ?, short_link = ? WHERE connection_id = ?", link.full, link.short, id.number)
    }

    func update(_ id: ConnectionID, status: ContactConnection.Status, at time: Timestamp) throws {
        try database.run(
            "UPDATE connections SET status = ?, updated_at = ? WHERE connection_id = ?", status.rawValue, time,
            id.number)
    }

    func update(_ id: ConnectionID, _ resistance: QuantumResistance) throws {
        try database.run(
            "UPDATE connections SET pq_wanted = ?, pq_sent = ?, pq_received = ? WHERE connection_id = ?",
            resistance.isWanted, resistance.protectsSent, resistance.protectsReceived, id.number)
    }

    func update(_ id: ConnectionID, _ synchronization: RatchetSynchronization) throws {
        try database.run(
            "UPDATE connections SET synchronization = ? WHERE connection_id = ?", synchronization.rawValue, id.number)
    }

    func update(_ id: ConnectionID, contact: ContactID) throws {
        try database.run("UPDATE connections SET contact_id = ? WHERE connection_id = ?", contact.number, id.number)
    }

    func update(_ id: ConnectionID, version: AgreedChatVersion) throws {
        try database.run(
            "UPDATE connections SET chat_version = ?, peer_versions = ? WHERE connection_id = ?", version.version,
            version.peer?.description, id.number)
    }
}

extension Row {
    mutating func contact() throws(StoreError) -> Contact {
        let id = ContactID(try int64())
        let profileID = ProfileID(try int64())
        let name = try text()
        let profile = StoredProfile(text: try text())
        let status: Contact.Status = try word()
        let createdAt = try timestamp()
        let updatedAt = try timestamp()
        let sendsReceipts = try optional { row throws(StoreError) in try row.bool() }
        let unreadCount = try count()
        let activeAt = try optional { row throws(StoreError) in try row.timestamp() }
        let isMuted = try bool()
        let isBlocked = try bool()
        let code = try optional { row throws(StoreError) in try row.text() }
        let verifiedAt = try optional { row throws(StoreError) in try row.timestamp() }
        let retention = try retention()
        let expiry = try optional { row throws(StoreError) in try row.lifetime() }
        let codeChangedAt = try optional { row throws(StoreError) in try row.timestamp() }
        let prepared = try optional { row throws(StoreError) in try row.preparedContact() }
        let requestID = try optional { row throws(StoreError) in RequestID(try row.int64()) }
        let marks = try marks()
        let choices = try contactChoices()
        let connection = try optional { row throws(StoreError) in try row.connection() }
        var verification: Contact.Verification?
        if let code, let verifiedAt { verification = Contact.Verification(code: code, verifiedAt: verifiedAt) }
        return Contact(
            id: id, profileID: profileID, name: name, storedProfile: profile, status: status, connection: connection,
            sendsReceipts: sendsReceipts, unreadCount: unreadCount, createdAt: createdAt, updatedAt: updatedAt,
            activeAt: activeAt, isMuted: isMuted, isBlocked: isBlocked, retention: retention, expiry: expiry,
            marks: marks, choices: choices, verification: verification, codeChangedAt: codeChangedAt,
            requestID: requestID, prepared: prepared)
    }

    mutating func connection() throws(StoreError) -> ContactConnection {
        let id = ConnectionID(try int64())
        let profileID = ProfileID(try int64())
        let contactID = try optional { row throws(StoreError) in ContactID(try row.int64()) }
        let status: ContactConnection.Status = try word()
        let isInitiated = try bool()
        let link = try optional { row throws(StoreError) in try row.text() }
        let shortLink = try optional { row throws(StoreError) in try row.text() }
        let requestedName = try optional { row throws(StoreError) in try row.text() }
        let version = try optional { row throws(StoreError) in try row.uint16() }
        let peer = try optional { row throws(StoreError) in try row.versions() }
        let createdAt = try timestamp()
        let updatedAt = try timestamp()
        let quantumResistance = QuantumResistance(
            isWanted: try bool(), protectsSent: try bool(), protectsReceived: try bool())
        let authErrors = try count()
        let quotaErrors = try count()
        let isRefused = try bool()
        let movesOwnQueue = try bool()
        let movesContactQueue = try bool()
        let incognito = try optional { row throws(StoreError) in StoredProfile(text: try row.text()) }
        guard let synchronization = RatchetSynchronization(rawValue: try int64()) else { throw StoreError(.damaged) }
        return ContactConnection(
            id: id, profileID: profileID, contactID: contactID, status: status,
            isInitiated: isInitiated, link: link, shortLink: shortLink, requestedName: requestedName,
            version: version.map { AgreedChatVersion(version: $0, peer: peer) },
            quantumResistance: quantumResistance, createdAt: createdAt, updatedAt: updatedAt,
            authErrorCount: authErrors, quotaErrorCount: quotaErrors, isRefused: isRefused,
            movesOwnQueue: movesOwnQueue, movesContactQueue: movesContactQueue, synchronization: synchronization,
            storedIncognito: incognito, alias: try text(),
            requestKey: try optional { row throws(StoreError) in try row.bytes() },
            addressID: try optional { row throws(StoreError) in ConnectionID(try row.int64()) },
            memberID: try optional { row throws(StoreError) in GroupMemberID(try row.int64()) })
    }

    mutating func versions() throws(StoreError) -> VersionRange {
        guard let versions = try? VersionRange(text: try text()) else { throw StoreError(.damaged) }
        return versions
    }

    /// A word of a closed list.
    mutating func word<Word: RawRepresentable<String>>() throws(StoreError) -> Word {
        guard let word = Word(rawValue: try text()) else { throw StoreError(.damaged) }
        return word
    }
}
