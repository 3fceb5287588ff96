import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store

extension ChatStore {
    // MARK: - Prepared contacts

    func setPrepared(_ prepared: PreparedContact, _ id: ContactID) throws {
        try database.run("UPDATE contacts SET prepared = ? WHERE contact_id = ?", prepared.json.line, id.number)
    }

    /// The contacts that were prepared from links, and may be connected by now.
    func preparedContacts(of id: ProfileID) throws -> [Contact] {
        let ids = try database.rows(
            "SELECT contact_id FROM contacts WHERE profile_id = ? AND prepared IS NOT NULL AND status = 'active'",
            id.number
        ) { row throws(StoreError) in ContactID(try row.int64()) }
        return try ids.compactMap { try contact($0) }
    }

    /// Gives a contact without a connection, and its conversation, to another profile.
    func move(_ id: ContactID, to profile: ProfileID, as name: String, at time: Timestamp) throws {
        try take(name, in: profile)
        try database.run(
            "UPDATE contacts SET profile_id = ?, name = ?, updated_at = ? WHERE contact_id = ?", profile.number, name,
            time, id.number)
        try database.run("UPDATE chats SET profile_id = ? WHERE contact_id = ?", profile.number, id.number)
    }

    // MARK: - Pending connections

    func update(_ id: ConnectionID, as incognito: Profile?, at time: Timestamp) throws {
        try database.run(
            "UPDATE connections SET incognito = ?, updated_at = ? WHERE connection_id = ?", incognito?.json.line, time,
            id.number)
    }

    func update(_ id: ConnectionID, alias: String, at time: Timestamp) throws {
        try database.run(
            "UPDATE connections SET alias = ?, updated_at = ? WHERE connection_id = ?", alias, time, id.number)
    }

    /// Notes the request that a contact and its connection were made of.
    func setOrigin(_ request: RequestID, _ address: ConnectionID?, of id: ConnectionID, _ contact: ContactID) throws {
        try database.run("UPDATE contacts SET request_id = ? WHERE contact_id = ?", request.number, contact.number)
        try database.run(
            "UPDATE connections SET address_id = ? WHERE connection_id = ?", address?.number, id.number)
    }

    // MARK: - Welcome messages

    /// The id under which the other side of a connection has the welcome message already.
    func welcomeID(of id: ConnectionID) throws -> SharedMessageID? {
        try database.first("SELECT welcome_id FROM connections WHERE connection_id = ?", id.number) {
            row throws(StoreError) in
            try row.optional { row throws(StoreError) in try row.sharedID() }
        } ?? nil
    }

    func setWelcomeID(_ welcome: SharedMessageID?, of id: ConnectionID) throws {
        try database.run("UPDATE connections SET welcome_id = ? WHERE connection_id = ?", welcome?.bytes, id.number)
    }

    /// True if a conversation has no entry of a kind.
    func lacks(_ content: ChatItem.Content, in chat: ChatReference) throws -> Bool {
        try database.first(
            "SELECT 1 FROM items WHERE chat_id = \(chat.row()) AND kind = ? LIMIT 1", chat.number, content.kind
        ) { _ in false } ?? true
    }
}

extension Row {
    mutating func preparedContact() throws(StoreError) -> PreparedContact {
        guard let prepared = try? PreparedContact(decoding: Bytes(try text().utf8)) else { throw StoreError(.damaged) }
        return prepared
    }
}
