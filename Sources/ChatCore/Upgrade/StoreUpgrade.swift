import Agent
import PageCipher
package import Store
import SystemIO

/// Brings the schemas of both databases of a store to those of this program, up or down.
///
/// What is to be done is known before anything is touched. Each database takes its steps in one transaction, and a copy of
/// both is made before. A crash between the databases leaves one of them at the old schema: the next start goes on.
///
/// The caller holds the ``StoreLock``.
public struct StoreUpgrade {
    /// Which ways are allowed.
    public enum Confirmation: String, CaseIterable, Hashable, Sendable {
        /// None: whoever asks wants to know what would be done.
        case error
        case yesUp = "yes-up"
        /// Also back from the steps of a newer program, which may lose something.
        case yesUpDown = "yes-up-down"
    }

    /// What was done.
    public struct Report: Hashable, Sendable {
        public let result: DBMigrationResult
        /// The steps that were taken, and those that were taken back, of both databases.
        public fileprivate(set) var up: [MigrationObstacle.Step] = []
        public fileprivate(set) var down: [MigrationObstacle.Step] = []
        /// The files with the store as it was before; none if nothing had to be done.
        public fileprivate(set) var backups: [String] = []
    }

    private let parts: [Part]

    /// The schemas that this program knows; tests choose older ones.
    package struct Schemas: Sendable {
        package let chat: [Migration]
        package let agent: [Migration]

        package init(chat: Int = .max, agent: Int = .max) {
            self.chat = Array(ChatSchema.migrations.prefix(chat))
            self.agent = Array(AgentSchema.migrations.prefix(agent))
        }
    }

    /// Upgrades a store as far as `confirmation` allows.
    ///
    /// - Returns: What was done; a result other than ``DBMigrationResult/ok`` means that nothing was, unless the database
    ///   failed.
    /// - Throws: A ``ChatError`` if a file cannot be read, or the backup cannot be written.
    public static func run(
        _ folder: StoreFolder, key: OpenedKey? = nil, confirmation: Confirmation
    ) throws(ChatError) -> Report {
        try run(folder, key: key, confirmation: confirmation, to: Schemas())
    }

    package static func run(
        _ folder: StoreFolder, key: OpenedKey? = nil, confirmation: Confirmation, to schemas: Schemas
    ) throws(ChatError) -> Report {
        do {
            return try StoreUpgrade(folder, key, schemas).run(confirmation)
        } catch let error as NoDatabase {
            return Report(result: .errorNotADatabase(file: error.file))
        } catch {
            throw ChatError(error)
        }
    }

    private init(_ folder: StoreFolder, _ key: OpenedKey?, _ schemas: Schemas) throws {
        var parts: [Part] = []
        // The agent comes first: what the chat database says about its events must never be newer.
        for (path, migrations) in [(folder.agentDatabase, schemas.agent), (folder.chatDatabase, schemas.chat)]
        where Files.exists(path) {
            parts.append(try Part(path, migrations, key))
        }
        self.parts = parts
    }

    private func run(_ confirmation: Confirmation) throws -> Report {
        for part in parts {
            if let obstacle = part.obstacle(confirmation) {
                return Report(result: .errorMigration(file: part.path, obstacle))
            }
        }
        guard parts.contains(where: \.hasWork) else {
            if confirmation != .error { for part in parts { try part.takeSteps() } }
            return Report(result: .ok)
        }
        var report = Report(result: .ok)
        report.backups = try StoreUpgrade.keep(parts)
        for part in parts {
            do {
                try part.takeSteps()
                report.up += part.missing
                report.down += part.foreign
            } catch let error as StoreError where error.code == .misuse || error.code == .constraint {
                return Report(result: .errorSQL(file: part.path, message: error.description))
            }
        }
        return report
    }

    /// Copies the databases as they are, in place of an older copy.
    private static func keep(_ parts: [Part]) throws -> [String] {
        try parts.map { part in
            let backup = StoreFolder.backup(of: part.path), draft = backup + ".new"
            try? Files.remove(draft)
            try part.database.copy(to: draft)
            try Files.move(draft, to: backup)
            return backup
        }
    }
}

/// A file of the store is something else.
private struct NoDatabase: Error {
    let file: String
}

/// One of the databases, and the way it has to go.
private struct Part {
    let path: String
    let database: Database
    private let migrations: [Migration]
    private let position: SchemaPosition

    init(_ path: String, _ migrations: [Migration], _ key: OpenedKey?) throws {
        self.path = path
        self.migrations = migrations
        do throws(StoreError) {
            database = try Database(path, .readWrite, key: key?.key)
            position = try database.schemaPosition(migrations)
        } catch {
            if error.code == .notADatabase { throw NoDatabase(file: path) }
            throw error
        }
    }

    var hasWork: Bool {
        if case .current = position { false } else { true }
    }

    /// The steps to take.
    var missing: [MigrationObstacle.Step] {
        if case .older(let steps) = position { steps.map(MigrationObstacle.Step.init) } else { [] }
    }

    /// The steps to take back.
    var foreign: [MigrationObstacle.Step] {
        if case .newer(let steps) = position { steps.map(MigrationObstacle.Step.init) } else { [] }
    }

    /// Why the way may not be gone.
    func obstacle(_ confirmation: StoreUpgrade.Confirmation) -> MigrationObstacle? {
        switch (position, confirmation) {
        case (.different(let known, let taken), _): .different(known: .init(known), taken: .init(taken))
        case (.older, .error): .upgrade(missing)
        case (.newer, _) where foreign.contains { !$0.hasDown }: .noDown(foreign)
        case (.newer, .error), (.newer, .yesUp): .downgrade(foreign)
        case (.current, _), (.older, _), (.newer, .yesUpDown): nil
        }
    }

    func takeSteps() throws {
        switch position {
        case .older: try database.migrate(migrations)
        case .newer: try database.takeBack(to: migrations)
        case .current: try database.noteWaysDown(migrations)
        case .different: break
        }
    }
}

extension MigrationObstacle.Step {
    fileprivate init(_ migration: Migration) {
        self.init(
            number: migration.number, name: migration.name, hasDown: migration.down != nil,
            loses: migration.down?.loses)
    }

    fileprivate init(_ step: TakenStep) {
        self.init(number: step.number, name: step.name, hasDown: step.hasDown, loses: step.loses)
    }
}
