public import ByteCoding

/// The tables of another program's database, and the migrations by which that program knows their version.
///
/// The program keeps the names of its migrations in a table `migrations(name, ts, down)`.
public struct ForeignSchema: Sendable {
    /// The names of the migrations, in order.
    public let migrations: [String]
    /// The last migration that a database must have.
    public let oldest: String
    /// The names of migrations after those, which change nothing that is read.
    public let later: [String]
    /// The names of the triggers of the newest known version.
    public let triggers: [String]
    /// The statements that create the newest known version, with its table of migrations.
    public let script: String
    /// The statements that complete a filled database: its triggers, and the indexes that only complete rows fulfil.
    public let completion: String

    /// Creates a schema from its parts.
    public init(
        migrations: [String], later: [String] = [], oldest: String, triggers: [String] = [], script: String,
        completion: String = ""
    ) {
        self.migrations = migrations
        self.later = later
        self.oldest = oldest
        self.triggers = triggers
        self.script = script
        self.completion = completion
    }

    /// The same schema, with checked types: the statements that create it for STRICT tables.
    ///
    /// - Parameter columns: Columns that have another type then: a definition, and its replacement.
    public func strictScript(_ columns: KeyValuePairs<String, String>) -> String {
        var lines = script.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for index in lines.indices {
            switch lines[index] {
            case ");": lines[index] = ") STRICT;"
            case ") WITHOUT ROWID;": lines[index] = ") WITHOUT ROWID, STRICT;"
            default:
                guard let column = columns.first(where: { lines[index] == "    \($0.key)" }) else { continue }
                lines[index] = "    \(column.value)"
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Creates the tables in an empty database, and notes all migrations.
    ///
    /// - Throws: ``StoreError``.
    public func create(in database: Database, at time: Timestamp) throws(StoreError) {
        try database.execute(script: script)
        for name in migrations {
            try database.run("INSERT INTO migrations (name, ts) VALUES (?, ?)", name, ForeignTime.text(time))
        }
    }

    /// Checks that the migrations of a database lead to a version between the oldest and the newest known one.
    ///
    /// - Throws: ``StoreError/Code/newerSchema`` for an unknown migration, ``StoreError/Code/olderSchema`` for a missing
    ///   one, ``StoreError/Code/otherSchema`` if there is no list of migrations.
    func check(_ database: Database) throws(StoreError) {
        guard try database.columns(of: "migrations").isSuperset(of: ["name", "ts"]) else {
            throw StoreError(.otherSchema)
        }
        let names = Set(try database.rows("SELECT name FROM migrations") { row throws(StoreError) in try row.text() })
        guard !names.isDisjoint(with: migrations) else { throw StoreError(.otherSchema) }
        guard let last = migrations.firstIndex(of: oldest), names.isSuperset(of: migrations[...last]) else {
            throw StoreError(.olderSchema)
        }
        guard names.isSubset(of: migrations + later) else { throw StoreError(.newerSchema) }
    }
}

extension Database {
    /// Checks a database of another program before anything is read: its pages, its encoding, and that it has nothing but
    /// ordinary tables of a known version.
    ///
    /// SECURITY: the database may come from anybody. Views, unknown triggers and virtual tables would run something, so a
    /// database with one of them is refused. Nothing in the schema is executed, and the known triggers are not either,
    /// because nothing is written: see ``foreign(at:)``.
    ///
    /// - Throws: ``StoreError/Code/damaged``, ``StoreError/Code/otherSchema``, ``StoreError/Code/newerSchema``,
    ///   ``StoreError/Code/olderSchema``.
    public func checkForeign(_ schema: ForeignSchema) throws(StoreError) {
        let encoding = try first("PRAGMA encoding") { row throws(StoreError) in try row.text() }
        guard encoding == "UTF-8" else { throw StoreError(.otherSchema) }
        let strange = try first(
            """
            SELECT count(*) FROM sqlite_schema WHERE type NOT IN ('table', 'index', 'trigger')
                OR (type = 'table' AND (rootpage IS NULL OR rootpage <= 0 OR sql LIKE 'CREATE VIRTUAL%'))
                OR sql LIKE '%GENERATED ALWAYS%'
            """
        ) { row throws(StoreError) in try row.int64() }
        guard strange == 0 else { throw StoreError(.otherSchema) }
        let triggers = try rows("SELECT name FROM sqlite_schema WHERE type = 'trigger'") { row throws(StoreError) in
            try row.text()
        }
        guard triggers.allSatisfy(schema.triggers.contains) else { throw StoreError(.otherSchema) }
        try schema.check(self)
        // The other program adds columns whose checks older rows need not fulfil.
        try run("PRAGMA ignore_check_constraints=ON")
        let findings = try rows("PRAGMA quick_check(1)") { row throws(StoreError) in try row.text() }
        guard findings == ["ok"] else { throw StoreError(.damaged) }
    }
}

/// Times as the official programs store them: `YYYY-MM-DD HH:MM:SS` in UTC, with up to 12 digits of a fraction.
public enum ForeignTime {
    /// Returns a time with milliseconds.
    public static func text(_ time: Timestamp) -> String {
        let text = time.description
        return String(text.prefix(10)) + " " + text.dropFirst(11).prefix { $0 != "Z" }
    }

    /// Reads a time. A fraction below milliseconds is cut off; nil if the text is no time of 1970 to 9999.
    public static func read(_ text: String) -> Timestamp? {
        guard text.utf8.count <= 40, let time = try? Timestamp(text: text + "Z"), time == time.clamped else {
            return nil
        }
        return time
    }
}
