import AgentProtocol
import Store

extension ChatStore {
    /// Records that the connections of a profile, apart from incognito ones, are owed its changes.
    ///
    /// The links of groups show the groups, those of the channels that the user serves the user.
    func oweProfile(of id: ProfileID) throws {
        try database.run(
            """
            UPDATE connections SET owes_profile = 1
            WHERE profile_id = ? AND incognito IS NULL AND status NOT IN ('failed', 'deleted') AND member_id IS NULL
                AND connection_id NOT IN (
                    SELECT connection_id FROM group_links WHERE group_id NOT IN (
                        SELECT group_id FROM group_members WHERE category = 'user' AND role = 'relay'))
            """, id.number)
    }

    func connectionsOwedProfile() throws -> [ConnectionID] {
        try database.rows("SELECT connection_id FROM connections WHERE owes_profile = 1 ORDER BY connection_id") {
            row throws(StoreError) in ConnectionID(try row.int64())
        }
    }

    /// Notes that nothing has to be told any more.
    func setProfilePresented(_ id: ConnectionID) throws {
        try database.run("UPDATE connections SET owes_profile = 0 WHERE connection_id = ?", id.number)
    }
}
