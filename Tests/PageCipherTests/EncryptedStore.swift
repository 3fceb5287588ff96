import ByteCoding
import CryptoCore
import Glibc
import PageCipher
import Store
import SystemIO
import TestSupport
import Testing

/// An encrypted database in a folder of its own, with texts that can be searched for.
final class EncryptedStore {
    let folder: TemporaryFolder
    let path: String
    let key: StoreKey
    let slots: KeySlots

    static let journalModes = ["WAL", "DELETE", "TRUNCATE", "PERSIST"]
    private static let text = "a secret sentence of somebody"

    init() throws {
        folder = try TemporaryFolder()
        path = "\(folder.path)/store.db"
        (key, slots) = try KeySlots.fresh(for: .keyFile(Secret(random: SystemRandom(), count: 32)))
    }

    func create(_ journalMode: String = "WAL") throws -> Database {
        let database = try Database(path, .create, key: key, slots: slots)
        try database.execute(script: "PRAGMA journal_mode=\(journalMode)")
        try database.execute(
            script: "CREATE TABLE items (id INTEGER PRIMARY KEY, body TEXT NOT NULL, hash BLOB) STRICT")
        try database.execute(script: "CREATE INDEX itemsByBody ON items (body)")
        return database
    }

    func open(_ access: Database.Access, key: StoreKey? = nil) throws -> Database {
        try Database(path, access, key: key ?? self.key)
    }

    /// Adds rows, of which some are larger than a page.
    func fill(_ database: Database, _ count: Int) throws {
        try database.transaction {
            for number in 0..<count {
                let body = String(repeating: EncryptedStore.text + " ", count: number % 7 == 0 ? 300 : 3) + "\(number)"
                try database.run(
                    "INSERT INTO items (body, hash) VALUES (?, ?)", body, SHA256.hash(Bytes(body.utf8)))
            }
        }
    }

    func count(_ database: Database) throws -> Int? {
        try database.first("SELECT count(*) FROM items") { row throws(StoreError) in try row.int() }
    }

    /// Whether the rows are `count` and as they were added.
    func isWhole(_ database: Database, _ count: Int? = nil) throws -> Bool {
        let checked = try database.first("PRAGMA integrity_check") { row throws(StoreError) in try row.text() }
        let rows = try database.rows("SELECT body, hash FROM items") { row throws(StoreError) in
            SHA256.hash(Bytes(try row.text().utf8)) == (try row.bytes())
        }
        return checked == "ok" && rows.allSatisfy { $0 } && (count == nil || rows.count == count)
    }

    /// Looks for texts, names and keys in all files.
    func expectNothingInClear(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let words = [EncryptedStore.text, "SECRET SENTENCE", "itemsByBody", "CREATE TABLE", "changed"]
        let sought = words.map { Bytes($0.utf8) } + [key.secret.copyBytes()]
        for name in try Files.names(in: folder.path) {
            let bytes = try Files.read("\(folder.path)/\(name)", limit: 1 << 26)
            for word in sought where EncryptedStore.contains(bytes, word) {
                Issue.record("\(name) has \(word.count) bytes in clear", sourceLocation: sourceLocation)
            }
        }
    }

    private static func contains(_ bytes: Bytes, _ word: Bytes) -> Bool {
        unsafe bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Bool in
            guard let start = bytes.baseAddress else { return false }
            var done = 0
            while done + word.count <= bytes.count,
                let found = unsafe memchr(start + done, Int32(word[0]), bytes.count - done)
            {
                let place = unsafe UnsafeRawPointer(found) - start
                if place + word.count <= bytes.count, unsafe memcmp(found, word, word.count) == 0 { return true }
                done = place + 1
            }
            return false
        }
    }
}
