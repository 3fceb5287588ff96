import ByteCoding
import CryptoCore
import PageCipher
import Store
import SystemIO
import TestSupport
import Testing

/// Several connections, some of them in another process.
@Suite(.timeLimit(.minutes(60))) struct ProcessTests {
    let store: EncryptedStore

    init() throws {
        store = try EncryptedStore()
    }

    @Test func oneProcessWritesAndAnotherReads() async throws {
        let path = store.path, secret = store.key.secret.copyBytes()
        let store = store
        let database = try store.create()
        try store.fill(database, 10)
        async let writer = #expect(processExitsWith: .success) { [path = path as String, secret = secret as Bytes] in
            guard let key = StoreKey(Secret(copying: secret)) else { throw CancellationError() }
            let database = try Database(path, .readWrite, key: key, durability: .process)
            try database.execute(script: "PRAGMA wal_autocheckpoint=20")
            for _ in 0..<300 {
                try database.transaction {
                    let half = SystemRandom().bytes(3000)
                    try database.run("INSERT INTO items (body, hash) VALUES ('', ?)", half)
                    try database.run("INSERT INTO items (body, hash) VALUES ('', ?)", half)
                }
            }
        }
        let reader = try store.open(.readOnly)
        var counts: [Int] = []
        while (counts.last ?? 0) < 300 {
            // Pairs are whole in every snapshot.
            let (all, different) = try #require(
                try reader.first("SELECT count(*), count(DISTINCT hash) FROM items WHERE body = ''") {
                    row throws(StoreError) in (try row.int(), try row.int())
                })
            #expect(all == 2 * different && different >= counts.last ?? 0)
            counts.append(different)
            if counts.count % 50 == 0 { try store.fill(database, 1) }
            await Task.yield()
        }
        _ = await writer
        #expect(try database.damagedPages() == [])
        let count = try #require(try store.count(database))
        #expect(count >= 610)
    }

    @Test func writersOfOneProcessTakeTurns() throws {
        let one = try store.create(), other = try store.open(.readWrite)
        for _ in 0..<20 {
            try store.fill(one, 3)
            try store.fill(other, 2)
            // What is taken back leaves frames that the other overwrites.
            try one.begin()
            try one.execute(script: "PRAGMA cache_size=5")
            try one.run("UPDATE items SET body = body || hex(zeroblob(2000))")
            one.rollback()
        }
        #expect(try store.isWhole(one, 100) && store.isWhole(other, 100))
        try other.checkpoint()
        #expect(try store.isWhole(store.open(.readWrite), 100))
    }
}
