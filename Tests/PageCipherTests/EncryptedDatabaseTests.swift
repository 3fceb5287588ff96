import ByteCoding
import CryptoCore
import PageCipher
import Store
import SystemIO
import TestSupport
import Testing

/// SQLite through the cipher: it works as ever, and the disk sees nothing.
@Suite struct EncryptedDatabaseTests {
    let store: EncryptedStore

    init() throws {
        store = try EncryptedStore()
    }

    @Test func written_content_is_read_back() throws {
        let database = try store.create()
        try store.fill(database, 200)
        #expect(try store.count(database) == 200)
        #expect(try store.count(store.open(.readOnly)) == 200)
    }

    @Test(arguments: EncryptedStore.journalModes)
    func rollbackAndCommit(_ mode: String) throws {
        let database = try store.create(mode)
        try store.fill(database, 50)
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try database.transaction {
                // More than the cache holds, so that pages are spilled and read again.
                try database.execute(script: "PRAGMA cache_size=10")
                try database.run("UPDATE items SET body = upper(body) || hex(zeroblob(500))")
                try database.run("DELETE FROM items WHERE id % 3 = 0")
                throw Stop()
            }
        }
        #expect(try store.isWhole(database, 50))
        try database.transaction {
            try database.run("UPDATE items SET body = body || hex(zeroblob(700))")
            try database.run("UPDATE items SET body = substr(body, 1, length(body) - 1400)")
        }
        #expect(try store.isWhole(database, 50))
        #expect(try store.isWhole(store.open(.readWrite), 50))
    }

    @Test(arguments: EncryptedStore.journalModes)
    func nothingIsOnTheDiskInClear(_ mode: String) throws {
        let database = try store.create(mode)
        try store.fill(database, 300)
        try store.expectNothingInClear()
        try database.begin()
        try database.execute(script: "PRAGMA cache_size=10")
        try database.run("UPDATE items SET body = body || ' changed'")
        try store.expectNothingInClear()
        try database.commit()
        try store.expectNothingInClear()
        if mode == "WAL" { try database.checkpoint() }
        try database.run("DELETE FROM items WHERE id > 100")
        try store.expectNothingInClear()
        try database.execute(script: "VACUUM")
        try store.expectNothingInClear()
        try database.copy(to: "\(store.folder.path)/copy.db")
        try store.expectNothingInClear()
        #expect(try store.count(Database("\(store.folder.path)/copy.db", .readOnly, key: store.key)) == 100)
    }

    @Test func wrong_key_is_distinct_from_damage() throws {
        try store.fill(store.create(), 5)
        #expect(throws: StoreError(.wrongKey, detail: 23)) { try store.open(.readWrite, key: StoreKey()) }
        #expect(throws: StoreError(.keyMissing)) { try Database(store.path, .readOnly) }
        let plain = "\(store.folder.path)/plain.db"
        try Database(plain, .create).run("CREATE TABLE a (b)")
        #expect(throws: StoreError(.notADatabase, detail: 26)) { try Database(plain, .readWrite, key: store.key) }
        let noise = "\(store.folder.path)/noise.db"
        try Files.create(noise, SystemRandom().bytes(20000))
        #expect(throws: StoreError(.notADatabase, detail: 26)) { try Database(noise, .readWrite, key: store.key) }
        #expect(throws: StoreError(.notADatabase, detail: 26)) { try Database(noise, .readWrite) }
    }
}
