import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import PageCipher
import Store

/// The chat database: rows become values and values rows, and nothing is decided.
struct ChatStore {
    let database: Database
    private let takenNames = TakenNames()

    init(_ path: String, _ access: Database.Access, _ key: StoreKey? = nil) throws {
        database = try Database(path, access, key: key, durability: .full)
        try database.complete(ChatSchema.migrations, access)
    }

    /// Whether nothing has happened yet that the agent would know of.
    func hasConnections() throws -> Bool {
        try database.first("SELECT 1 FROM connections LIMIT 1") { _ in true } ?? false
    }

    /// Everything that `body` writes, or nothing.
    func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        try database.transaction(body)
    }

    // MARK: - State

    /// The last event of the agent whose consequences are in this database.
    func lastAgentEvent() throws -> Int64 {
        try database.first("SELECT last_agent_event FROM state") { row throws(StoreError) in try row.int64() } ?? 0
    }

    func setLastAgentEvent(_ id: Int64) throws {
        try database.run("UPDATE state SET last_agent_event = ?", id)
    }

    // MARK: - Profiles

    private static let profileQuery = """
        SELECT profile_id, name, profile, is_active, created_at, sends_receipts, is_muted, hidden_hash IS NOT NULL,
            retention, sends_group_receipts, accepts_members, changed_at,
            (\(ChatStore.homeQuery)),
            EXISTS (SELECT 1 FROM session_values WHERE key = 'service-' || profiles.profile_id),
            EXISTS (SELECT 1 FROM session_values WHERE key = 'chat-relay-' || profiles.profile_id),
            (SELECT coalesce(sum(max(0, min(unread_count, 2147483647))), 0) FROM chats
             WHERE chats.profile_id = profiles.profile_id)
        FROM profiles
        """

    func profiles() throws -> [OwnProfile] {
        try database.rows("\(ChatStore.profileQuery) ORDER BY profile_id") { row throws(StoreError) in
            try row.ownProfile()
        }
    }

    func profile(_ id: ProfileID) throws -> OwnProfile? {
        try database.first("\(ChatStore.profileQuery) WHERE profile_id = ?", id.number) { row throws(StoreError) in
            try row.ownProfile()
        }
    }

    func profile(named name: String) throws -> OwnProfile? {
        try database.first("\(ChatStore.profileQuery) WHERE name = ?", name) { row throws(StoreError) in
            try row.ownProfile()
        }
    }

    func activeProfile() throws -> OwnProfile? {
        try database.first("\(ChatStore.profileQuery) WHERE is_active = 1") { row throws(StoreError) in
            try row.ownProfile()
        }
    }

    /// - Parameter name: The local name; nil for the display name.
    func insertProfile(_ profile: Profile, named name: String? = nil, at time: Timestamp) throws -> ProfileID {
        try database.run(
            "INSERT INTO profiles (name, profile, is_active, created_at) VALUES (?, ?, 0, ?)",
            name ?? profile.displayName, profile.json.line, time)
        let id = ProfileID(database.lastInsertedID)
        try take(profile.displayName, in: id)
        return id
    }

    func update(_ id: ProfileID, profile: Profile, named name: String) throws {
        try database.run(
            "UPDATE profiles SET name = ?, profile = ? WHERE profile_id = ?", name, profile.json.line, id.number)
        try database.run(
            """
            UPDATE group_members SET name = ?2, profile = ?3 WHERE category = 'user' AND is_incognito = 0
                AND group_id IN (SELECT group_id FROM groups WHERE profile_id = ?1)
            """, id.number, profile.displayName, profile.forMembers().json.line)
    }

    func activate(_ id: ProfileID) throws {
        try database.run("UPDATE profiles SET is_active = 0 WHERE is_active = 1")
        try database.run("UPDATE profiles SET is_active = 1 WHERE profile_id = ?", id.number)
    }

    // MARK: - Names

    /// Whether a contact, a group or the profile itself has a name.
    func isTaken(_ name: String, in id: ProfileID) throws -> Bool {
        try loadNames(of: id)
        return takenNames.contains(name, in: id)
    }

    /// Reads all names that are taken, unless they are in memory.
    private func loadNames(of id: ProfileID, again isRepeated: Bool = false) throws {
        guard isRepeated || !takenNames.isLoaded(id) else { return }
        takenNames.load(
            try database.rows("SELECT name FROM names WHERE profile_id = ?", id.number) {
                row throws(StoreError) in try row.text()
            }, of: id)
    }

    func take(_ name: String, in id: ProfileID) throws {
        try database.run("INSERT INTO names (profile_id, name) VALUES (?, ?)", id.number, name)
        takenNames.insert(name, in: id)
    }

    func free(_ name: String, in id: ProfileID) throws {
        try database.run("DELETE FROM names WHERE profile_id = ? AND name = ?", id.number, name)
        takenNames.remove(name, in: id)
    }

    /// The name, or one of `name_1`, `name_2`... that is free: the first one if the taken numbers have no gap.
    func freeName(_ name: String, in id: ProfileID) throws -> String {
        try loadNames(of: id)
        let candidate = takenNames.freeName(name, in: id)
        let isTaken = try database.first(
            "SELECT 1 FROM names WHERE profile_id = ? AND name = ?", id.number, candidate
        ) { _ in true }
        guard isTaken != nil else { return candidate }
        // The names in memory are older than those on disk.
        try loadNames(of: id, again: true)
        return takenNames.freeName(name, in: id)
    }
}

extension Row {
    fileprivate mutating func ownProfile() throws(StoreError) -> OwnProfile {
        let id = ProfileID(try int64())
        let name = try text()
        let profile = try profile()
        let isActive = try bool()
        let createdAt = try timestamp()
        let sendsReceipts = try bool()
        let isMuted = try bool()
        let isHidden = try bool()
        let retention = try optional { row throws(StoreError) in try row.lifetime() }
        let sendsGroupReceipts = try bool()
        let acceptsMembers = try bool()
        let changedAt = try optional { row throws(StoreError) in try row.timestamp() }
        let home = try optional { row throws(StoreError) in ContactID(try row.int64()) }
        let usesService = try bool()
        let isChatRelay = try bool()
        return OwnProfile(
            id: id, name: name, profile: profile, isActive: isActive, sendsReceipts: sendsReceipts,
            isMuted: isMuted, unreadCount: try count(), createdAt: createdAt, retention: retention,
            isHidden: isHidden, sendsGroupReceipts: sendsGroupReceipts, acceptsMembers: acceptsMembers,
            changedAt: changedAt, home: home, usesService: usesService, isChatRelay: isChatRelay)
    }

    mutating func profile() throws(StoreError) -> Profile {
        guard let profile = try? Profile(decoding: Bytes(try text().utf8)) else { throw StoreError(.damaged) }
        return profile
    }
}
