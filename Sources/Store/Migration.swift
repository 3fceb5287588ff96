import ByteCoding
import CryptoCore

/// One step of a schema. Steps are numbered from 1 without gaps, and never change after a release.
public struct Migration: Sendable {
    /// The number of the step, from 1.
    public let number: Int
    /// A short name of the step.
    public let name: String
    /// The statements of the step.
    public let script: String
    /// The reversal of the step; nil for the first one.
    public let down: Down?

    /// The reversal of a step.
    public struct Down: Sendable {
        /// The statements that restore the schema before the step.
        public let script: String
        /// The lost data, as the end of the sentence "this loses ..."; nil if nothing is lost.
        public let loses: String?

        /// Creates a down from its parts.
        public init(loses: String? = nil, _ script: String) {
            self.loses = loses
            self.script = script
        }
    }

    /// Creates a migration from its parts.
    public init(_ number: Int, _ name: String, _ script: String, down: Down? = nil) {
        self.number = number
        self.name = name
        self.script = script
        self.down = down
    }

    /// The hash that identifies the released step. The reversal is not part of it, so that it can be corrected.
    var hash: Bytes { SHA256.hash(Bytes(script.utf8)) }
}

/// A step in a database, as recorded by the program that took it.
public struct TakenStep: Hashable, Sendable {
    /// The number of the step.
    public let number: Int
    /// The name of the step.
    public let name: String
    let hash: Bytes
    /// The statements of the reversal.
    let down: String?
    /// The data that the reversal loses; nil if nothing is lost.
    public let loses: String?

    /// True if the step can be reversed, even by a program without this step.
    public var hasDown: Bool { down != nil }
}

/// The comparison of a database's schema with the steps of a program.
public enum SchemaPosition: Sendable {
    /// The database has all steps.
    case current
    /// These steps are missing.
    case older([Migration])
    /// The database has these further steps of a newer program, newest first.
    case newer([TakenStep])
    /// A step differs from the program's step with the same number.
    case different(known: Migration, taken: TakenStep)
}

/// The table of the taken steps, with migration and reversal.
///
/// The reversal of a step is stored in the database itself, because an older program needs it.
extension Database {
    /// Migrates the database to the newest of `migrations`, in one transaction.
    ///
    /// - Returns: The number of steps taken.
    /// - Throws: ``StoreError/Code/newerSchema`` if the database has further steps, ``StoreError/Code/otherSchema`` if
    ///   a step differs.
    @discardableResult
    public func migrate(_ migrations: [Migration]) throws -> Int {
        let pending = try pendingMigrations(migrations)
        guard !pending.isEmpty else { return 0 }
        return try transaction {
            try prepareMigrationTable()
            // Steps from before reversals existed have none in the table.
            for migration in migrations.dropLast(pending.count) { try noteDown(of: migration) }
            for migration in pending {
                try execute(script: migration.script)
                try run(
                    "INSERT INTO migrations (number, name, hash) VALUES (?, ?, ?)", migration.number, migration.name,
                    migration.hash)
                try noteDown(of: migration)
            }
            return pending.count
        }
    }

    /// Completes the schema of a database that was just opened: a new one gets all steps, even if its creation was
    /// interrupted.
    ///
    /// - Throws: ``StoreError/Code/olderSchema`` if steps are missing: the caller makes a copy before migrating.
    public func complete(_ migrations: [Migration], _ access: Access) throws {
        let pending = try pendingMigrations(migrations)
        guard !pending.isEmpty else { return }
        guard access != .readOnly, pending.count == migrations.count else { throw StoreError(.olderSchema) }
        try migrate(migrations)
    }

    /// Records the reversals in a database that has all steps, but was made before reversals existed.
    public func noteWaysDown(_ migrations: [Migration]) throws {
        guard try !hasDownColumns() else { return }
        try transaction {
            try prepareMigrationTable()
            for migration in migrations { try noteDown(of: migration) }
        }
    }

    /// Replaces the recorded reversals by those of `migrations`, because those in the database may come from an
    /// attacker.
    ///
    /// SECURITY: an older program runs these statements.
    public func replaceWaysDown(_ migrations: [Migration]) throws {
        try transaction {
            try prepareMigrationTable()
            for migration in migrations { try noteDown(of: migration) }
        }
    }

    /// Reverses, in one transaction, all steps after those of `migrations`.
    ///
    /// - Returns: The number of reversed steps.
    /// - Throws: ``StoreError/Code/newerSchema`` if a step has no reversal, ``StoreError/Code/otherSchema`` if a step
    ///   differs.
    @discardableResult
    public func takeBack(to migrations: [Migration]) throws -> Int {
        switch try schemaPosition(migrations) {
        case .current, .older: return 0
        case .different: throw StoreError(.otherSchema)
        case .newer(let steps):
            let scripts = steps.compactMap(\.down)
            guard scripts.count == steps.count else { throw StoreError(.newerSchema) }
            return try transaction {
                for (step, script) in zip(steps, scripts) {
                    // SECURITY: the script came with the database and must not access other files.
                    try withoutAttaching { try execute(script: script) }
                    try run("DELETE FROM migrations WHERE number = ?", step.number)
                }
                return steps.count
            }
        }
    }

    /// Returns the position of the schema, without changes.
    ///
    /// - Throws: ``StoreError``.
    public func schemaPosition(_ migrations: [Migration]) throws(StoreError) -> SchemaPosition {
        let taken = try takenSteps()
        for (migration, step) in zip(migrations, taken) {
            guard migration.number == step.number, migration.hash == step.hash else {
                return .different(known: migration, taken: step)
            }
        }
        if taken.count > migrations.count { return .newer(taken.dropFirst(migrations.count).reversed()) }
        return taken.count == migrations.count ? .current : .older(Array(migrations.dropFirst(taken.count)))
    }

    /// Returns the steps that the database lacks.
    ///
    /// - Throws: As ``migrate(_:)``.
    public func pendingMigrations(_ migrations: [Migration]) throws(StoreError) -> [Migration] {
        switch try schemaPosition(migrations) {
        case .current: []
        case .older(let pending): pending
        case .newer: throw StoreError(.newerSchema)
        case .different: throw StoreError(.otherSchema)
        }
    }

    /// Returns the taken steps, in order; none for an empty database.
    ///
    /// - Throws: ``StoreError/Code/otherSchema`` for a database of another program, which has tables, but no table of
    ///   migrations.
    public func takenSteps() throws(StoreError) -> [TakenStep] {
        guard try hasTable("migrations") else {
            guard try !hasTables() else { throw StoreError(.otherSchema) }
            return []
        }
        guard try hasStepColumns() else { throw StoreError(.otherSchema) }
        let down = try hasDownColumns() ? "down, loses" : "NULL, NULL"
        return try rows("SELECT number, name, hash, \(down) FROM migrations ORDER BY number") {
            row throws(StoreError) in
            TakenStep(
                number: try row.int(), name: try row.text(), hash: try row.bytes(),
                down: try row.optional { row throws(StoreError) in try row.text() },
                loses: try row.optional { row throws(StoreError) in try row.text() })
        }
    }

    // MARK: - The table

    private func hasTable(_ name: String) throws(StoreError) -> Bool {
        try first("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", name) { _ in true } ?? false
    }

    private func hasTables() throws(StoreError) -> Bool {
        try first("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'") { _ in
            true
        }
            ?? false
    }

    private func hasStepColumns() throws(StoreError) -> Bool {
        let count = try first(
            """
            SELECT count(*) FROM pragma_table_info('migrations')
                WHERE (name, type) IN (VALUES ('number', 'INTEGER'), ('name', 'TEXT'), ('hash', 'BLOB'))
            """
        ) { row throws(StoreError) in try row.int() }
        return count == 3
    }

    private func hasDownColumns() throws(StoreError) -> Bool {
        try first("SELECT 1 FROM pragma_table_info('migrations') WHERE name = 'down'") { _ in true } ?? false
    }

    private func prepareMigrationTable() throws(StoreError) {
        try run(
            """
            CREATE TABLE IF NOT EXISTS migrations (
                number INTEGER PRIMARY KEY, name TEXT NOT NULL, hash BLOB NOT NULL, down TEXT, loses TEXT
            ) STRICT
            """)
        // The first versions had no reversals.
        guard try !hasDownColumns() else { return }
        try run("ALTER TABLE migrations ADD COLUMN down TEXT")
        try run("ALTER TABLE migrations ADD COLUMN loses TEXT")
    }

    private func noteDown(of migration: Migration) throws(StoreError) {
        try run(
            "UPDATE migrations SET down = ?, loses = ? WHERE number = ?", migration.down?.script,
            migration.down?.loses, migration.number)
    }
}

/// The objects of a schema.
extension Database {
    /// Returns the tables, indices, views and triggers, without those of SQLite. All but tables are told apart by their
    /// statements too, so that a trigger cannot stand in for another.
    public func schemaObjects() throws(StoreError) -> Set<[String]> {
        Set(
            try rows(
                """
                SELECT type, name, tbl_name, iif(type = 'table', '', sql) FROM sqlite_schema
                WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                """
            ) { row throws(StoreError) in [try row.text(), try row.text(), try row.text(), try row.text()] })
    }
}
