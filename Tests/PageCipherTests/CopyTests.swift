import ByteCoding
import CSQLite
import CryptoCore
import PageCipher
import Store
import SystemIO
import TestSupport
import Testing

/// The ways of a database into another file, and back.
@Suite struct CopyTests {
    let store: EncryptedStore
    let copy: String

    init() throws {
        store = try EncryptedStore()
        // Characters that have a meaning in a URI.
        copy = "\(store.folder.path)/a copy?vfs=unix%20#1.db"
    }

    @Test func encryptedAndPlainAndBack() throws {
        let database = try store.create()
        try store.fill(database, 60)
        try database.copyPlain(to: copy)
        #expect(try FileHeader.read(copy) == nil)
        let plain = try Database(copy, .readWrite)
        #expect(try store.isWhole(plain, 60))
        let again = "\(store.folder.path)/again.db"
        try plain.copy(to: again, key: store.key, slots: store.slots)
        try Files.remove(copy)
        let encrypted = try Database(again, .readWrite, key: store.key)
        #expect(try store.isWhole(encrypted, 60) && encrypted.damagedPages() == [])
        try store.fill(encrypted, 10)
        #expect(try store.count(encrypted) == 70)
    }

    @Test func aPlainDatabaseThatWasNeverEncrypted() throws {
        let path = "\(store.folder.path)/plain.db"
        let plain = try Database(path, .create)
        try plain.execute(script: "CREATE TABLE items (id INTEGER PRIMARY KEY, body TEXT, hash BLOB)")
        try store.fill(plain, 60)
        try plain.copy(to: copy, key: store.key, slots: store.slots)
        try plain.execute(script: "VACUUM")
        #expect(try Database(copy, .readOnly, key: store.key).damagedPages() == [])
        #expect(try store.isWhole(Database(copy, .readWrite, key: store.key), 60))
        #expect(try Files.read(path, limit: 1 << 24)[20] == 0)
        #expect(throws: StoreError.self) { try plain.copy(to: copy, key: store.key, slots: store.slots) }
    }

    @Test func aCopyHasTheSlotsAndAnotherSalt() throws {
        let database = try store.create()
        let slots = try store.slots.adding(.keyFile(Secret(copying: [1, 2, 3])), for: store.key)
        try FileHeader.replaceSlots(of: store.path, by: slots)
        try database.copy(to: copy)
        let header = try #require(try FileHeader.read(copy))
        #expect(try header.slots == slots && header != FileHeader.read(store.path))
        #expect(try !Files.status(copy).isOpenToOthers)
    }

    /// SQLite's own interface for copies, which copies pages as they are.
    @Test func pagesGoThroughTheBackupInterface() throws {
        try store.fill(store.create(), 60)
        try Files.create(copy, [])
        try FileHeader(key: store.key, slots: store.slots).write(to: copy)
        let layer = CipherVFS(store.key)
        var from: OpaquePointer?, to: OpaquePointer?
        let uri = copy.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
        #expect(unsafe sqlite3_open_v2(store.path, &from, SQLITE_OPEN_READWRITE, layer.name) == SQLITE_OK)
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI
        #expect(unsafe sqlite3_open_v2("file:\(uri)", &to, flags, layer.name) == SQLITE_OK)
        var reserved = Int32(PageCipher.reservedSize)
        unsafe sqlite3_file_control(to, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved)
        let backup = unsafe sqlite3_backup_init(to, "main", from, "main")
        while unsafe sqlite3_backup_step(backup, 5) == SQLITE_OK {}
        #expect(unsafe sqlite3_backup_finish(backup) == SQLITE_OK)
        unsafe sqlite3_close_v2(from)
        unsafe sqlite3_close_v2(to)
        withExtendedLifetime(layer) {}
        #expect(try store.isWhole(Database(copy, .readWrite, key: store.key), 60))
        try store.expectNothingInClear()
    }

    @Test func sizesOfPagesStay() throws {
        let database = try store.create("DELETE")
        try store.fill(database, 20)
        try database.execute(script: "PRAGMA page_size=8192; VACUUM")
        #expect(try store.isWhole(database, 20))
        #expect(try store.isWhole(store.open(.readWrite), 20))
    }

    /// A sort, an index and a statement that is undone, none of which fits into memory.
    @Test func temporaryFilesAreEncrypted() throws {
        let database = try store.create()
        try database.execute(script: "PRAGMA temp_store=FILE; PRAGMA cache_size=10")
        try store.fill(database, 1500)
        let sorted = try database.rows(
            "SELECT body FROM (SELECT DISTINCT body || 'x' AS body FROM items) ORDER BY body"
        ) {
            row throws(StoreError) in try row.text()
        }
        #expect(sorted.count == 1500 && sorted == sorted.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        try database.execute(
            script: "CREATE TEMP TABLE kept AS SELECT * FROM items; CREATE INDEX temp.keptByBody ON kept (body)")
        #expect(
            try database.first("SELECT count(*) FROM kept JOIN items USING (body)") {
                row throws(StoreError) in try row.int()
            } == 1500)
        try database.transaction {
            try database.run("DELETE FROM kept WHERE id % 2 = 0")
            // Fails at the last row, when all others were changed already.
            #expect(throws: StoreError.self) {
                try database.run("UPDATE items SET body = CASE id WHEN 1500 THEN NULL ELSE upper(body) END")
            }
        }
        #expect(try store.isWhole(database, 1500))
    }
}
