public import JSONCoding

/// How the schemas of a store and of this program came together: `DBMigrationResult` of the API.
public enum DBMigrationResult: Hashable, Sendable {
    /// Both databases have the schema of this program.
    case ok
    /// The word for what is allowed is none of those that there are.
    case invalidConfirmation
    /// The file is no database, or the key does not open it.
    case errorNotADatabase(file: String)
    case errorMigration(file: String, MigrationObstacle)
    /// The database failed.
    case errorSQL(file: String, message: String)
    /// There is no key.
    case errorKeychain

    /// As the API writes it.
    public var json: JSONObject {
        switch self {
        case .ok: ["type": "ok"]
        case .invalidConfirmation: ["type": "invalidConfirmation"]
        case .errorNotADatabase(let file): ["type": "errorNotADatabase", "dbFile": .string(file)]
        case .errorMigration(let file, let obstacle):
            ["type": "errorMigration", "dbFile": .string(file), "migrationError": .object(obstacle.json)]
        case .errorSQL(let file, let message):
            ["type": "errorSQL", "dbFile": .string(file), "migrationSQLError": .string(message)]
        case .errorKeychain: ["type": "errorKeychain"]
        }
    }
}

/// Why a schema was left as it is: `MigrationError` of the API.
public enum MigrationObstacle: Hashable, Sendable {
    /// Steps are missing, and nobody allowed to take them.
    case upgrade([Step])
    /// A newer program took these steps, and nobody allowed to take them back.
    case downgrade([Step])
    /// These steps of a newer program cannot be taken back.
    case noDown([Step])
    /// The database has another step than the one that this program knows.
    case different(known: Step, taken: Step)

    /// A step by its number and name.
    public struct Step: Hashable, Sendable, CustomStringConvertible {
        public let number: Int
        public let name: String
        /// Whether there is a way back from it.
        public let hasDown: Bool
        /// What the way back throws away, as the end of the sentence "this loses ...".
        public let loses: String?

        public var description: String { "\(number) \(name)" }
    }

    var json: JSONObject {
        switch self {
        case .upgrade(let steps):
            [
                "type": "upgrade",
                "upMigrations": .array(
                    steps.map { .object(["upName": .string($0.description), "withDown": .bool($0.hasDown)]) }),
            ]
        case .downgrade(let steps): ["type": "downgrade", "downMigrations": MigrationObstacle.names(steps)]
        case .noDown(let steps):
            MigrationObstacle.wrapped(["type": "noDown", "dbMigrations": MigrationObstacle.names(steps)])
        case .different(let known, let taken):
            MigrationObstacle.wrapped([
                "type": "different", "appMigration": .string(known.description),
                "dbMigration": .string(taken.description),
            ])
        }
    }

    private static func names(_ steps: [Step]) -> JSONValue { .array(steps.map { .string($0.description) }) }

    private static func wrapped(_ error: JSONObject) -> JSONObject {
        ["type": "migrationError", "mtrError": .object(error)]
    }
}
