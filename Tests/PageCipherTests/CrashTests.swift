import ByteCoding
import CSQLite
import CryptoCore
import PageCipher
import Store
import SystemIO
import TestSupport
import Testing

/// A connection below ``Database``, through a recorder.
@safe
private final class RecordedConnection {
    private let cipher: CipherVFS
    private var connection: OpaquePointer?

    init(_ path: String, _ key: StoreKey, over recorder: RecordingVFS) throws {
        cipher = CipherVFS(key, over: recorder.name)
        let status = unsafe sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, cipher.name)
        try #require(status == SQLITE_OK)
        var reserved = Int32(PageCipher.reservedSize)
        unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved)
    }

    deinit {
        unsafe sqlite3_close_v2(connection)
    }

    func execute(_ script: String) throws {
        let status = unsafe sqlite3_exec(connection, script, nil, nil, nil)
        try #require(status == SQLITE_OK)
    }
}

/// Whatever a crash leaves on the disk, the committed transactions are there and whole.
@Suite struct CrashTests {
    private static let rows = "INSERT INTO items SELECT NULL, hex(randomblob(abs(random()) % 1500)), NULL FROM counter"

    /// What is written by transactions of all kinds, among them such that do not fit into the cache.
    private func record(_ mode: String, _ store: EncryptedStore) throws -> [RecordingVFS.Event] {
        let recorder = try RecordingVFS("recorder \(store.path)")
        try Files.create(store.path, [])
        let header = FileHeader(key: store.key, slots: store.slots)
        try header.write(to: store.path)
        recorder.events.append(.write(store.path, 0, header.encoded))
        recorder.events.append(.synchronize(store.path))
        let connection = try RecordedConnection(store.path, store.key, over: recorder)
        try connection.execute(
            """
            PRAGMA journal_mode=\(mode); PRAGMA synchronous=FULL; PRAGMA cache_size=10; PRAGMA wal_autocheckpoint=60;
            CREATE TABLE items (id INTEGER PRIMARY KEY, body TEXT, hash BLOB); CREATE TABLE counter (n);
            INSERT INTO counter VALUES (1), (2), (3);
            """)
        var rows = 0
        recorder.events.append(.acknowledge(rows))
        for round in 1...14 {
            try connection.execute("BEGIN; \(CrashTests.rows); COMMIT")
            rows += 3
            recorder.events.append(.acknowledge(rows))
            if round % 4 == 0 {
                // Pages leave the cache before the end, some twice; then all is taken back.
                try connection.execute(
                    "BEGIN; UPDATE items SET hash = zeroblob(2000); UPDATE items SET hash = zeroblob(900); ROLLBACK")
            }
            if round % 5 == 0 {
                try connection.execute(
                    """
                    BEGIN; UPDATE items SET hash = zeroblob(3000); UPDATE items SET hash = NULL;
                    SAVEPOINT a; DELETE FROM items; ROLLBACK TO a; COMMIT
                    """)
                recorder.events.append(.acknowledge(rows))
            }
        }
        return recorder.events
    }

    @Test(arguments: EncryptedStore.journalModes)
    func committedTransactionsSurvive(_ mode: String) throws {
        let store = try EncryptedStore(), events = try record(mode, store)
        #expect(events.count > 150)
        let random = SeededRandom(seed: 7)
        for end in stride(from: 3, through: events.count, by: 7) {
            for isPowerLost in [false, true] {
                let crash = Crash(events, before: end, isPowerLost: isPowerLost, random: random)
                let folder = try TemporaryFolder(), path = "\(folder.path)/store.db"
                try crash.leave(store.path, at: path)
                guard let acknowledged = crash.acknowledged else { continue }
                let database = try Database(path, .readWrite, key: store.key, durability: .process)
                let checked = try database.first("PRAGMA integrity_check") { row throws(StoreError) in try row.text() }
                #expect(checked == "ok", "\(mode) \(end) \(isPowerLost)")
                let count = try store.count(database) ?? -1
                #expect(count >= acknowledged && count % 3 == 0, "\(mode) \(end) \(isPowerLost)")
                if checked != "ok" || count < acknowledged { return }
            }
        }
    }
}

/// The state of the files at one moment.
private struct Crash {
    private var files: [String: Bytes] = [:]
    private(set) var acknowledged: Int?

    /// After a loss of power, what was written since the last sync of a file is there in part: some writes, some parts of
    /// them.
    init(_ events: [RecordingVFS.Event], before end: Int, isPowerLost: Bool, random: SeededRandom) {
        var random = random
        var lastSync: [String: Int] = [:]
        for (index, event) in events[..<end].enumerated() {
            if case .synchronize(let path) = event { lastSync[path] = index }
        }
        for (index, event) in events[..<end].enumerated() {
            switch event {
            case .write(let path, let offset, let bytes):
                let isSafe = !isPowerLost || index < lastSync[path] ?? -1
                var written = bytes
                if !isSafe {
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: continue
                    case 1: written = Bytes(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
                    default: break
                    }
                }
                var file = files[path] ?? []
                if file.count < offset + written.count {
                    file += Bytes(repeating: 0, count: offset + written.count - file.count)
                }
                file.replaceSubrange(offset..<offset + written.count, with: written)
                files[path] = file
            case .truncate(let path, let size):
                let file = files[path] ?? []
                files[path] = Bytes(file.prefix(size)) + Bytes(repeating: 0, count: max(0, size - file.count))
            case .delete(let path): files[path] = nil
            case .synchronize: break
            case .acknowledge(let rows): acknowledged = rows
            }
        }
    }

    /// Writes the files with another name.
    func leave(_ path: String, at other: String) throws {
        for (name, bytes) in files {
            try Files.replace(other + name.dropFirst(path.count), bytes, durably: false)
        }
    }
}
