import Store

/// Counts the rows of a database that do not belong to a hidden profile.
///
/// SECURITY: who may open the store must not learn that there is a hidden profile, so numbers that are reported without its
/// password leave out everything that belongs to it. A row belongs to a profile by its column `profile_id`, or by a row to
/// which a foreign key leads. Rows of which nothing tells the profile are not counted, unless they concern the whole store.
struct VisibleRows {
    private let database: Database
    /// The numbers of the hidden profiles, separated by commas.
    private let hidden: String

    /// Tables whose rows are the same for all profiles.
    private static let shared: Set = [
        "state", "operators", "accepted_conditions", "exports", "session_values", "session_lines",
        "file_acceptance",
    ]
    /// Tables that hold what rows of others lead to, and count as far as these are visible: the relays of the agent.
    private static let referred: Set = ["servers"]
    /// Tables that are not counted: the steps of the schema, which are reported by themselves, and where the store is.
    private static let omitted: Set = ["migrations", "place"]

    init(_ database: Database, hidden: Set<Int64>) {
        self.database = database
        self.hidden = hidden.sorted().map(String.init).joined(separator: ", ")
    }

    /// The hidden profiles of a chat database; none in one that is older than hidden profiles.
    static func hiddenProfiles(in chat: Database) throws(StoreError) -> Set<Int64> {
        guard try columns(of: "profiles", in: chat).contains("hidden_hash") else { return [] }
        return Set(
            try chat.rows("SELECT profile_id FROM profiles WHERE hidden_hash IS NOT NULL") {
                row throws(StoreError) in try row.int64()
            })
    }

    /// The tables with visible rows, and how many they have.
    func counts() throws(StoreError) -> [StoreFacts.Count] {
        let tables = try database.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name"
        ) { row throws(StoreError) in try row.text() }
        var counts: [StoreFacts.Count] = []
        for table in tables where !VisibleRows.omitted.contains(table) {
            guard let condition = try condition(for: table, among: tables) else { continue }
            // The names are those of the schema.
            let rows = try database.first("SELECT count(*) FROM \"\(table)\" WHERE \(condition)") {
                row throws(StoreError) in try row.int()
            }
            if let rows, rows > 0 { counts.append(StoreFacts.Count(table: table, rows: rows)) }
        }
        return counts
    }

    /// What is true of the visible rows of a table; nil if nothing tells to whom its rows belong.
    private func condition(for table: String, among tables: [String]) throws(StoreError) -> String? {
        if VisibleRows.shared.contains(table) { return "true" }
        if let own = try ownCondition(for: table) { return own }
        guard VisibleRows.referred.contains(table) else { return nil }
        var conditions: [String] = []
        for other in tables {
            for key in try foreignKeys(of: other) where key.table == table {
                guard let visible = try ownCondition(for: other) else { continue }
                conditions.append("\(key.target) IN (SELECT \(key.column) FROM \"\(other)\" WHERE \(visible))")
            }
        }
        return conditions.isEmpty ? nil : conditions.joined(separator: " OR ")
    }

    /// The condition by the columns of the table itself; nil if none of them tells to whom a row belongs.
    ///
    /// - Parameter path: The tables whose keys led here. Groups and their members lead to each other.
    private func ownCondition(for table: String, from path: Set<String> = []) throws(StoreError) -> String? {
        var conditions: [String] = []
        if let isMissing = try mayLackProfile(table) {
            let known = "profile_id NOT IN (\(hidden))"
            // A row that always names its profile needs no other sign.
            guard isMissing else { return known }
            conditions.append("(profile_id IS NULL OR \(known))")
        }
        let path = path.union([table])
        for key in try foreignKeys(of: table) where !path.contains(key.table) && key.table != "profiles" {
            guard let parent = try ownCondition(for: key.table, from: path) else { continue }
            conditions.append(
                "(\(key.column) IS NULL OR \(key.column) IN (SELECT \(key.target) FROM \"\(key.table)\" WHERE \(parent)))"
            )
        }
        return conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
    }

    /// True if rows of a table may have no profile; nil if they have no column for it.
    private func mayLackProfile(_ table: String) throws(StoreError) -> Bool? {
        try database.first(
            #"SELECT NOT ("notnull" OR pk) FROM pragma_table_info(?) WHERE name = 'profile_id'"#, table
        ) { row throws(StoreError) in try row.int() != 0 }
    }

    private static func columns(of table: String, in database: Database) throws(StoreError) -> Set<String> {
        Set(
            try database.rows("SELECT name FROM pragma_table_info(?)", table) { row throws(StoreError) in
                try row.text()
            })
    }

    /// A column that leads to a row of another table.
    private struct ForeignKey {
        let column: String
        let table: String
        /// The column there.
        let target: String
    }

    private func foreignKeys(of table: String) throws(StoreError) -> [ForeignKey] {
        // A key without a named column leads to the primary key.
        try database.rows(
            """
            SELECT "from", "table", coalesce("to", (SELECT name FROM pragma_table_info("table") WHERE pk = 1))
            FROM pragma_foreign_key_list(?)
            """, table
        ) { row throws(StoreError) in
            ForeignKey(column: try row.text(), table: try row.text(), target: try row.text())
        }
    }
}
