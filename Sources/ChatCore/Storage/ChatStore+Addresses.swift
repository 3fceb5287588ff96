import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store

extension ChatStore {
    func address(of id: ProfileID) throws -> Address? {
        try database.first(
            """
            SELECT connection_id, link, short_link, accepts, is_business, welcome, addresses.created_at
            FROM addresses JOIN connections USING (connection_id) WHERE addresses.profile_id = ?
            """, id.number
        ) { row throws(StoreError) in
            let connectionID = ConnectionID(try row.int64())
            let full = try row.text()
            let link = LinkText(full: full, short: try row.optional { row throws(StoreError) in try row.text() })
            let accepts = try row.bool(), isBusiness = try row.bool()
            let welcome = try row.optional { row throws(StoreError) in try row.messageContent() }
            return Address(
                profileID: id, connectionID: connectionID, link: link,
                settings: AddressSettings(accepts: accepts, isBusiness: isBusiness, welcome: welcome),
                createdAt: try row.timestamp())
        }
    }

    /// Makes a connection the address of its profile. The settings of the one before stay.
    func setAddress(_ connectionID: ConnectionID, of id: ProfileID, at time: Timestamp) throws {
        try database.run(
            """
            INSERT INTO addresses (profile_id, connection_id, accepts, created_at) VALUES (?, ?, 0, ?)
            ON CONFLICT (profile_id) DO UPDATE SET
                connection_id = excluded.connection_id, created_at = excluded.created_at
            """, id.number, connectionID.number, time)
    }

    func update(_ settings: AddressSettings, of id: ProfileID) throws {
        try database.run(
            "UPDATE addresses SET accepts = ?, is_business = ?, welcome = ? WHERE profile_id = ?", settings.accepts,
            settings.isBusiness, settings.welcome?.json.line, id.number)
    }

    func removeAddress(of id: ProfileID) throws {
        try database.run("DELETE FROM addresses WHERE profile_id = ?", id.number)
    }

    /// Inserts the connection of an address, or of a link, that the relay does not have yet.
    func insertAddressConnection(
        of id: ProfileID, status: ContactConnection.Status = .new, isInitiated: Bool = true, at time: Timestamp
    ) throws -> ConnectionID {
        let connection = try insertConnection(
            of: id, as: nil, status: status, isInitiated: isInitiated, link: nil, requestedName: nil, at: time)
        try markAddress(connection)
        return connection
    }

    /// Says that a connection is an address, when it is made.
    func markAddress(_ id: ConnectionID) throws {
        try database.run("UPDATE connections SET is_address = 1 WHERE connection_id = ?", id.number)
    }

    /// Connections that nobody wants any more: addresses of no profile, and invitations that were cancelled.
    func discardedConnections() throws -> [ConnectionID] {
        try database.rows(
            """
            SELECT connection_id FROM connections WHERE contact_id IS NULL AND member_id IS NULL AND (status = 'deleted'
                OR (is_address = 1 AND connection_id NOT IN (SELECT connection_id FROM addresses)
                    AND connection_id NOT IN (SELECT connection_id FROM group_links)))
            """
        ) { row throws(StoreError) in ConnectionID(try row.int64()) }
    }

    /// Whether a connection is the address of its profile.
    func isAddress(_ id: ConnectionID) throws -> Bool {
        try database.first("SELECT 1 FROM addresses WHERE connection_id = ?", id.number) { _ in true } ?? false
    }

    // MARK: - The own side of requests

    /// The id of the own request at somebody's address.
    func requestKey(of id: ConnectionID) throws -> Bytes? {
        try database.first("SELECT request_key FROM connections WHERE connection_id = ?", id.number) {
            row throws(StoreError) in try row.optional { row throws(StoreError) in try row.bytes() }
        } ?? nil
    }

    func setRequestKey(_ key: Bytes?, of id: ConnectionID) throws {
        try database.run("UPDATE connections SET request_key = ? WHERE connection_id = ?", key, id.number)
    }

    /// Whether the welcome message has still to be sent.
    func owesWelcome(_ id: ConnectionID) throws -> Bool {
        try database.first("SELECT owes_welcome FROM connections WHERE connection_id = ?", id.number) {
            row throws(StoreError) in try row.bool()
        } ?? false
    }

    func setOwesWelcome(_ owes: Bool, _ id: ConnectionID) throws {
        try database.run("UPDATE connections SET owes_welcome = ? WHERE connection_id = ?", owes, id.number)
    }
}

extension Row {
    mutating func messageContent() throws(StoreError) -> MessageContent {
        guard let content = try? MessageContent(decoding: Bytes(try text().utf8)) else { throw StoreError(.damaged) }
        return content
    }
}
