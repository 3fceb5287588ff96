import ByteCoding
import CryptoCore
import Store
import SystemIO
import TestSupport
import Testing

@Suite struct DatabaseTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = "\(folder.path)/test.db"
    }

    private func makeDatabase() throws -> Database {
        let database = try Database(path, .create)
        try database.run("CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL, data BLOB) STRICT")
        return database
    }

    @Test func copy_equals_its_source() throws {
        let database = try makeDatabase(), copy = "\(folder.path)/copy.db"
        try database.run("INSERT INTO things (name) VALUES (?)", "before")
        // Another connection makes the copy, while this one goes on.
        try Database(path, .readWrite).copy(to: copy)
        try database.run("INSERT INTO things (name) VALUES (?)", "after")
        #expect(try !Files.status(copy).isOpenToOthers)
        let names = try Database(copy, .readOnly).rows("SELECT name FROM things") { row throws(StoreError) in
            try row.text()
        }
        #expect(names == ["before"])
        #expect(throws: StoreError.self) { try database.copy(to: copy) }
    }

    @Test func values_survive_the_database() throws {
        let database = try Database(":memory:", .create)
        try database.run(
            "CREATE TABLE v (a INTEGER, b TEXT, c BLOB, d BLOB, e INTEGER, f TEXT, g INTEGER, h BLOB) STRICT")
        let secret = Secret(copying: [9, 8, 7])
        let moment = Timestamp(milliseconds: -5)
        try database.run(
            "INSERT INTO v VALUES (?, ?, ?, ?, ?, ?, ?, ?)", Int64.min, "héllo\u{0}👋", Bytes(), secret, true,
            nil as String?, moment, VersionRange(1, 2).encoded)
        let isEqual = try database.first("SELECT * FROM v") { row throws(StoreError) in
            let same = [
                try row.int64() == .min, try row.text() == "héllo\u{0}👋", try row.bytes() == [],
                try row.secret().isEqual(to: secret), try row.bool(),
                try row.optional { row throws(StoreError) in try row.text() } == nil,
                try row.timestamp() == moment, try row.decoded() == VersionRange(1, 2),
            ]
            return same == Array(repeating: true, count: 8)
        }
        #expect(isEqual == true)
    }

    @Test func value_of_other_type_is_damage() throws {
        let database = try makeDatabase()
        try database.run("INSERT INTO things (name, data) VALUES (?, ?)", "a", Bytes([1, 2, 3]))
        func read<Value>(_ read: (inout Row) throws(StoreError) -> Value) throws {
            _ = try database.first("SELECT data FROM things", read: read)
        }
        #expect(throws: StoreError(.damaged)) { try read { row throws(StoreError) in try row.text() } }
        #expect(throws: StoreError(.damaged)) { try read { row throws(StoreError) in try row.int64() } }
        #expect(throws: StoreError(.damaged)) {
            try read { row throws(StoreError) in try row.decoded(VersionRange.self) }
        }
    }

    @Test func aFailedTransactionLeavesNothing() throws {
        struct Stop: Error {}
        let database = try makeDatabase()
        #expect(throws: Stop.self) {
            try database.transaction {
                try database.run("INSERT INTO things (name) VALUES ('a')")
                throw Stop()
            }
        }
        #expect(throws: StoreError(.constraint, detail: 1299)) {
            try database.transaction {
                try database.run("INSERT INTO things (name) VALUES ('b')")
                try database.run("INSERT INTO things (name) VALUES (NULL)")
            }
        }
        #expect(try count(database) == 0)
        try database.transaction { try database.run("INSERT INTO things (name) VALUES ('c')") }
        #expect(try count(database) == 1)
    }

    @Test func aConstraintFailsBecauseOfAStrayRow() throws {
        let database = try makeDatabase()
        try database.execute(
            script: """
                PRAGMA foreign_keys=OFF;
                CREATE TABLE owners (id INTEGER PRIMARY KEY);
                CREATE TABLE owned (owner INTEGER UNIQUE REFERENCES owners);
                INSERT INTO owned VALUES (7);
                PRAGMA foreign_keys=ON;
                """)
        #expect(throws: StoreError(.damaged)) { try database.run("INSERT INTO owned VALUES (7)") }
        try database.execute(script: "INSERT INTO owners VALUES (7)")
        #expect(throws: StoreError(.damaged), "the rows are read once") {
            try database.run("INSERT INTO owned VALUES (7)")
        }
        let mended = try Database(Database.inMemory, .create)
        try mended.execute(script: "CREATE TABLE alone (id INTEGER PRIMARY KEY); INSERT INTO alone VALUES (7)")
        #expect(throws: StoreError(.constraint, detail: 1555)) { try mended.run("INSERT INTO alone VALUES (7)") }
    }

    private func count(_ database: Database) throws -> Int? {
        try database.first("SELECT count(*) FROM things") { row throws(StoreError) in try row.int() }
    }

    @Test func aReaderSeesASnapshotBesideTheWriter() throws {
        let writer = try makeDatabase()
        try writer.run("INSERT INTO things (name) VALUES ('a')")
        let reader = try Database(path, .readOnly)
        try writer.transaction {
            try writer.run("INSERT INTO things (name) VALUES ('b')")
            #expect(try count(reader) == 1)
        }
        #expect(try count(reader) == 2)
        #expect(throws: StoreError(.disk, detail: 8)) { try reader.run("DELETE FROM things") }
    }

    @Test func aQueryMayRunInsideOfAQuery() throws {
        let database = try makeDatabase()
        for name in ["a", "b", "c"] { try database.run("INSERT INTO things (name) VALUES (?)", name) }
        let sql = "SELECT name FROM things ORDER BY id"
        let pairs = try database.rows(sql) { row throws(StoreError) in
            let outer = try row.text()
            let inner = try database.rows(sql) { row throws(StoreError) in try row.text() }
            return outer + inner.joined()
        }
        #expect(pairs == ["aabc", "babc", "cabc"])
    }

    @Test func aNewFileBelongsToItsOwnerAlone() throws {
        let database = try makeDatabase()
        for suffix in ["", "-wal", "-shm"] { #expect(try !Files.status(path + suffix).isOpenToOthers) }
        _ = database
    }

    @Test func aTransactionMayEndInALaterCall() throws {
        let database = try makeDatabase()
        try database.begin()
        try database.run("INSERT INTO things (name) VALUES ('a')")
        #expect(try count(Database(path, .readOnly)) == 0)
        try database.commit()
        #expect(try count(Database(path, .readOnly)) == 1)
        try database.begin()
        try database.run("INSERT INTO things (name) VALUES ('b')")
        database.rollback()
        database.rollback()
        #expect(try count(database) == 1)
        #expect(throws: StoreError.self) {
            try database.execute(script: "PRAGMA max_page_count=3")
            try database.begin()
            defer { database.rollback() }
            for _ in 0..<10 {
                try database.run("INSERT INTO things (name, data) VALUES ('c', ?)", Bytes(repeating: 1, count: 4000))
            }
            try database.commit()
        }
        #expect(try count(database) == 1)
    }

    @Test func aCheckpointEmptiesTheLogIntoTheFile() throws {
        let database = try makeDatabase()
        _ = database.takePagesWritten()
        try database.run("INSERT INTO things (name, data) VALUES ('a', ?)", Bytes(repeating: 1, count: 40_000))
        #expect(database.takePagesWritten() >= 10)
        #expect(database.takePagesWritten() == 0)
        try database.checkpoint()
        // The file alone has everything now.
        let copy = path + ".copy"
        try Files.create(copy, Files.read(path, limit: 1 << 20))
        #expect(try count(Database(copy, .readOnly)) == 1)
    }

    @Test func foreign_files_are_distinct_errors() throws {
        #expect(throws: StoreError(.cannotOpen, detail: 14)) { _ = try Database(path, .readWrite) }
        _ = try makeDatabase()
        #expect(throws: StoreError(.cannotOpen)) { _ = try Database(path, .create) }
        let text = "\(folder.path)/text"
        try TemporaryFolder.write(Bytes(repeating: 0x41, count: 5000), to: text)
        #expect(throws: StoreError(.notADatabase, detail: 26)) { _ = try Database(text, .readWrite) }
    }

    @Test func errors_contain_no_paths_or_content() throws {
        let database = try makeDatabase()
        let error = #expect(throws: StoreError.self) { try database.run("INSERT INTO things (name) VALUES (NULL)") }
        #expect("\(error!)" == "store: constraint (sqlite 1299)")
    }

    // MARK: - Migrations

    private let first = Migration(1, "things", "CREATE TABLE things (id INTEGER PRIMARY KEY) STRICT;")
    private let second = Migration(2, "names", "ALTER TABLE things ADD COLUMN name TEXT; CREATE TABLE b (c TEXT);")

    @Test func migrationsAreTakenOnce() throws {
        let database = try Database(path, .create)
        #expect(try database.migrate([first]) == 1)
        #expect(try database.pendingMigrations([first, second]).map(\.number) == [2])
        #expect(try database.migrate([first, second]) == 1)
        #expect(try database.migrate([first, second]) == 0)
        try database.run("INSERT INTO things (name) VALUES ('a')")
    }

    @Test func newerAndOtherSchemasAreRefused() throws {
        let database = try Database(path, .create)
        try database.migrate([first, second])
        #expect(throws: StoreError(.newerSchema)) { try database.migrate([first]) }
        let other = Migration(2, "names", "CREATE TABLE other (id INTEGER);")
        #expect(throws: StoreError(.otherSchema)) { try database.migrate([first, other]) }
    }

    /// Ways back may come with a database of somebody else.
    @Test func reversal_cannot_open_other_files() throws {
        let other = "\(folder.path)/other.db"
        let down = Migration.Down(loses: "names", "ALTER TABLE things DROP COLUMN name; DROP TABLE b;")
        let step = Migration(2, "names", second.script, down: down)
        let database = try Database(path, .create)
        try database.migrate([first, step])
        try database.run(
            "UPDATE migrations SET down = ?, loses = 'all' WHERE number = 2", "ATTACH '\(other)' AS other;")
        #expect(throws: StoreError.self) { try database.takeBack(to: [first]) }
        #expect(!Files.exists(other))
        try database.replaceWaysDown([first, step])
        #expect(try database.takenSteps().map(\.loses) == [nil, "names"])
        #expect(try database.takeBack(to: [first]) == 1)
        // A copy is made by attaching it.
        try database.copy(to: other)
    }

    @Test func aFailingMigrationChangesNothing() throws {
        let database = try Database(path, .create)
        try database.migrate([first])
        let broken = Migration(2, "broken", "CREATE TABLE b (c TEXT); CREATE TABLE things (id INTEGER);")
        #expect(throws: StoreError.self) { try database.migrate([first, broken]) }
        #expect(try database.migrate([first, second]) == 1)
    }
}
