import ByteCoding
import CryptoCore

/// One step of a schema. Steps are numbered from 1 without gaps and never change once they were shipped.
public struct Migration: Sendable {
    public let number: Int
    /// What the step does, in a word or two.
    public let name: String
    /// The statements of the step.
    public let script: String
    /// How to take the step back; nil for the first one, before which there is nothing.
    public let down: Down?

    /// The way back from a step.
    public struct Down: Sendable {
        /// The statements that make the schema what it was before the step.
        public let script: String
        /// What they throw away, as the end of the sentence "this loses ..."; nil if nothing is lost.
        public let loses: String?

        public init(loses: String? = nil, _ script: String) {
            self.loses = loses
            self.script = script
        }
    }

    public init(_ number: Int, _ name: String, _ script: String, down: Down? = nil) {
        self.number = number
        self.name = name
        self.script = script
        self.down = down
    }

    /// Tells this step from one that was shipped under the same number. The way back is not in it: that may be mended.
    var hash: Bytes { SHA256.hash(Bytes(script.utf8)) }
}

/// A step that a database has, as the program noted it that took the step.
public struct TakenStep: Hashable, Sendable {
    public let number: Int
    public let name: String
    let hash: Bytes
    /// The statements that take it back, and what they lose.
    let down: String?
    public let loses: String?

    /// Whether the step can be taken back, also by a program that does not know it.
    public var hasDown: Bool { down != nil }
}

/// Where the schema of a database stands, compared with the steps that a program knows.
public enum SchemaPosition: Sendable {
    case current
    /// These steps are missing.
    case older([Migration])
    /// A newer program took these steps too; the newest comes first.
    case newer([TakenStep])
    /// A step is not the one that this program knows by its number.
    case different(known: Migration, taken: TakenStep)
}

/// The table of the steps that were taken, and the ways up and down.
///
/// The way down from a step is kept in the database itself, because it is an older program that needs it.
extension Database {
    /// Brings the database to the newest of `migrations`, in one transaction.
    ///
    /// - Returns: How many steps were taken.
    /// - Throws: ``StoreError/Code/newerSchema`` if the database has steps that this program does not know,
    ///   ``StoreError/Code/otherSchema`` if one of them differs.
    @discardableResult
    public func migrate(_ migrations: [Migration]) throws -> Int {
        let pending = try pendingMigrations(migrations)
        guard !pending.isEmpty else { return 0 }
        return try transaction {
            try prepareMigrationTable()
            // Steps that were taken before there was a way down have none in the table.
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

    /// Makes sure that a database that was just opened has all steps: a new one gets them, also one whose making was cut
    /// off.
    ///
    /// - Throws: ``StoreError/Code/olderSchema`` if steps are missing: whoever takes them keeps a copy first.
    public func complete(_ migrations: [Migration], _ access: Access) throws {
        let pending = try pendingMigrations(migrations)
        guard !pending.isEmpty else { return }
        guard access != .readOnly, pending.count == migrations.count else { throw StoreError(.olderSchema) }
        try migrate(migrations)
    }

    /// Notes the ways back in a database that has all steps and was made before there were any.
    public func noteWaysDown(_ migrations: [Migration]) throws {
        guard try !hasDownColumns() else { return }
        try transaction {
            try prepareMigrationTable()
            for migration in migrations { try noteDown(of: migration) }
        }
    }

    /// Writes the ways back of `migrations` in the place of those that the database has, which may come from somebody else.
    ///
    /// SECURITY: an older program runs what stands there.
    public func replaceWaysDown(_ migrations: [Migration]) throws {
        try transaction {
            try prepareMigrationTable()
            for migration in migrations { try noteDown(of: migration) }
        }
    }

    /// Takes back, in one transaction, all steps behind those that `migrations` has.
    ///
    /// - Returns: How many steps were taken back.
    /// - Throws: ``StoreError/Code/newerSchema`` if one of them has no way back, ``StoreError/Code/otherSchema`` if a step
    ///   differs from the one that is known.
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
                    // SECURITY: it came with the database, and is about no other file.
                    try withoutAttaching { try execute(script: script) }
                    try run("DELETE FROM migrations WHERE number = ?", step.number)
                }
                return steps.count
            }
        }
    }

    /// Where the schema stands. Changes nothing.
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

    /// The steps that the database does not have yet.
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

    /// The steps that the database has, in order; none for an empty database.
    ///
    /// - Throws: ``StoreError/Code/otherSchema`` for a database of another program: one that has tables and no list of our
    ///   steps.
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
        // The first versions did not know the way down.
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

/// What a database is made of.
extension Database {
    /// The tables, indices, views and triggers that there are, without those of SQLite itself.
    public func schemaObjects() throws(StoreError) -> Set<[String]> {
        Set(
            try rows(
                "SELECT type, name, tbl_name FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
            ) { row throws(StoreError) in [try row.text(), try row.text(), try row.text()] })
    }
}
