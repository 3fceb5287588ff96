import AgentProtocol
import ByteCoding
import SMPProtocol
import Store

extension ChatStore {
    // MARK: - Servers

    /// The servers of a profile, or those that the first profile begins with.
    func servers(of id: ProfileID?) throws -> [ProfileServer] {
        try database.rows(
            """
            SELECT server_id, address, is_preset, is_enabled FROM servers WHERE profile_id IS ? ORDER BY server_id
            """, id?.number
        ) { row throws(StoreError) in try row.server() }
    }

    func insert(_ server: ProfileServer, of id: ProfileID?) throws {
        try database.run(
            "INSERT OR IGNORE INTO servers (profile_id, address, is_preset, is_enabled) VALUES (?, ?, ?, ?)",
            id?.number, server.server.description, server.isPreset, server.isEnabled)
    }

    func update(_ server: ProfileServer) throws {
        try database.run(
            "UPDATE servers SET address = ?, is_enabled = ? WHERE server_id = ?", server.server.description,
            server.isEnabled, server.id?.number)
    }

    func removeServer(_ id: ServerID) throws {
        try database.run("DELETE FROM servers WHERE server_id = ?", id.number)
    }

    // MARK: - Operators

    /// All operators that this program knows, with the settings of the user.
    func operators() throws -> [ServerOperator] {
        try ServerOperator.Tag.allCases.map { tag in
            let acceptance = try database.first(
                """
                SELECT version, accepted_at FROM accepted_conditions WHERE tag = ? ORDER BY accepted_at DESC LIMIT 1
                """, tag.rawValue
            ) { row throws(StoreError) in ConditionsAcceptance(version: try row.text(), time: try row.timestamp()) }
            return try database.first(
                "SELECT is_enabled, stores_messages, forwards_messages FROM operators WHERE tag = ?", tag.rawValue
            ) { row throws(StoreError) in
                let isEnabled = try row.bool(), stores = try row.bool()
                return ServerOperator(
                    tag, isEnabled: isEnabled,
                    roles: ServerRoles(storesMessages: stores, forwardsMessages: try row.bool()),
                    acceptance: acceptance)
            } ?? ServerOperator(tag, acceptance: acceptance)
        }
    }

    func update(_ settings: ServerOperator) throws {
        try database.run(
            """
            INSERT OR REPLACE INTO operators (tag, is_enabled, stores_messages, forwards_messages) VALUES (?, ?, ?, ?)
            """, settings.tag.rawValue, settings.isEnabled, settings.roles.storesMessages,
            settings.roles.forwardsMessages)
    }

    /// Notes that the user accepts conditions; the first time counts.
    func accept(_ conditions: UsageConditions, of tag: ServerOperator.Tag, at time: Timestamp) throws {
        try database.run(
            "INSERT OR IGNORE INTO accepted_conditions (tag, version, accepted_at) VALUES (?, ?, ?)", tag.rawValue,
            conditions.version, time)
    }
}

extension Row {
    fileprivate mutating func server() throws(StoreError) -> ProfileServer {
        let id = ServerID(try int64())
        guard let server = try? ConfiguredServer(text: try text()) else { throw StoreError(.damaged) }
        let isPreset = try bool()
        return ProfileServer(id: id, server, isPreset: isPreset, isEnabled: try bool())
    }
}
