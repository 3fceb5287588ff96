import ByteCoding
import CryptoCore

/// One step of a schema. Steps are numbered from 1 without gaps and never change once they were shipped.
public struct Migration: Sendable {
    public let number: Int
    /// What the step does, in a word or two.
    public let name: String
    /// The statements of the step.
    public let script: String

    public init(_ number: Int, _ name: String, _ script: String) {
        self.number = number
        self.name = name
        self.script = script
    }

    /// Tells this step from one that was shipped under the same number.
    var hash: Bytes { SHA256.hash(Bytes(script.utf8)) }
}

extension Database {
    /// Which steps a database has.
    private struct Applied {
        let number: Int
        let hash: Bytes
    }

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
            try run(
                """
                CREATE TABLE IF NOT EXISTS migrations (
                    number INTEGER PRIMARY KEY, name TEXT NOT NULL, hash BLOB NOT NULL
                ) STRICT
                """)
            for migration in pending {
                try execute(script: migration.script)
                try run(
                    "INSERT INTO migrations (number, name, hash) VALUES (?, ?, ?)", migration.number, migration.name,
                    migration.hash)
            }
            return pending.count
        }
    }

    /// The steps that the database does not have yet.
    ///
    /// - Throws: As ``migrate(_:)``.
    public func pendingMigrations(_ migrations: [Migration]) throws(StoreError) -> [Migration] {
        let hasTable = try first("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'") { _ in true
        }
        let applied =
            hasTable == nil
            ? []
            : try rows("SELECT number, hash FROM migrations ORDER BY number") {
                row throws(StoreError) in Applied(number: try row.int(), hash: try row.bytes())
            }
        guard applied.count <= migrations.count else { throw StoreError(.newerSchema) }
        for (migration, applied) in zip(migrations, applied) {
            guard migration.number == applied.number, migration.hash == applied.hash else {
                throw StoreError(.otherSchema)
            }
        }
        return Array(migrations.dropFirst(applied.count))
    }
}
