import ByteCoding
import CryptoCore
import Glibc
import PageCipher
import Store
import SystemIO
import TestSupport
import Testing

/// What somebody, or a disk, changed is an error, or an older state where SQLite has to take it for the end of a log; it is
/// never another text.
@Suite struct DamageTests {
    let store: EncryptedStore
    private static let pageSize = 4096

    init() throws {
        store = try EncryptedStore()
    }

    private func makeFile(_ rows: Int) throws -> Bytes {
        let database = try store.create()
        try store.fill(database, rows)
        try database.execute(script: "PRAGMA journal_mode=DELETE")
        return try Files.read(store.path, limit: 1 << 26)
    }

    /// Whether a changed file was noticed, by reading everything or by looking for damage.
    private func isNoticed(_ bytes: Bytes, rows: Int) throws -> (reading: Bool, looking: Bool) {
        try Files.replace(store.path, bytes, durably: false)
        do {
            let database = try store.open(.readOnly)
            let looking = try !database.damagedPages().isEmpty
            do {
                let isWhole = try store.isWhole(database, rows)
                #expect(isWhole || looking, "another text")
                return (!isWhole, looking)
            } catch let error as StoreError {
                #expect(error.code == .damaged)
                return (true, looking)
            }
        } catch let error as StoreError {
            #expect([.damaged, .notADatabase].contains(error.code))
            return (true, true)
        }
    }

    @Test func a_check_stops_at_a_failing_disk() async {
        await #expect(processExitsWith: .success) {
            let store = try EncryptedStore()
            let database = try store.create()
            try store.fill(database, 40)
            #expect(try database.damagedPages() == [])
            // From here on no file can grow, and the log has to be copied into the database.
            try store.fill(database, 400)
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
            #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            do throws(StoreError) {
                _ = try database.damagedPages()
                Issue.record("the check succeeded")
            } catch {
                #expect(error.code == .disk)
            }
        }
    }

    @Test func aChangedByteInAnyPageIsNoticed() throws {
        let file = try makeFile(40)
        #expect(try isNoticed(file, rows: 40) == (false, false))
        let random = SeededRandom(seed: 3)
        for page in 1..<file.count / Self.pageSize {
            var changed = file
            var generator = random
            changed[page * Self.pageSize + Int.random(in: 0..<Self.pageSize, using: &generator)] ^= 1
            let (reading, looking) = try isNoticed(changed, rows: 40)
            #expect(reading && looking, "page \(page)")
        }
    }

    @Test func everyByteOfAPageCounts() throws {
        let file = try makeFile(3)
        for position in stride(from: 2 * Self.pageSize, to: 3 * Self.pageSize, by: 37) {
            var changed = file
            changed[position] ^= 0x10
            #expect(try isNoticed(changed, rows: 3).looking, "\(position)")
        }
    }

    @Test func movedPagesAreNoticed() throws {
        let file = try makeFile(40)
        let count = file.count / Self.pageSize
        for (one, other) in [(1, 2), (2, 3), (3, count - 1)] {
            var changed = file
            let range = { (page: Int) in page * Self.pageSize..<(page + 1) * Self.pageSize }
            changed.replaceSubrange(range(one), with: file[range(other)])
            #expect(try isNoticed(changed, rows: 40) == (true, true))
            changed.replaceSubrange(range(other), with: file[range(one)])
            #expect(try isNoticed(changed, rows: 40) == (true, true))
        }
        // From a file with the same key and another salt.
        let copy = "\(store.folder.path)/copy.db"
        try Files.replace(store.path, file)
        try store.open(.readWrite).copy(to: copy)
        let foreign = try Files.read(copy, limit: 1 << 26)
        var changed = file
        changed.replaceSubrange(
            2 * Self.pageSize..<3 * Self.pageSize, with: foreign[2 * Self.pageSize..<3 * Self.pageSize])
        #expect(try isNoticed(changed, rows: 40) == (true, true))
        // Zeros are what a disk has that lost something.
        changed.replaceSubrange(2 * Self.pageSize..<3 * Self.pageSize, with: Bytes(repeating: 0, count: Self.pageSize))
        #expect(try isNoticed(changed, rows: 40) == (true, true))
    }

    @Test func shorterFilesAreNoticed() throws {
        let file = try makeFile(40)
        for count in stride(from: 1, to: file.count, by: 1013) {
            #expect(try isNoticed(Bytes(file.prefix(count)), rows: 40).reading, "\(count)")
        }
        #expect(try isNoticed(file.dropLast(Self.pageSize), rows: 40).reading)
    }

    @Test func aDamagedLogIsAnOlderState() throws {
        let database = try store.create()
        try store.fill(database, 20)
        try database.checkpoint()
        for _ in 0..<6 { try store.fill(database, 2) }
        let main = try Files.read(store.path, limit: 1 << 26), log = try Files.read(store.path + "-wal", limit: 1 << 26)
        var counts: Set<Int> = []
        for position in stride(from: 0, to: log.count, by: 1021) {
            let folder = try TemporaryFolder(), path = "\(folder.path)/store.db"
            var changed = log
            changed[position] ^= 4
            try Files.replace(path, main, durably: false)
            try Files.replace(path + "-wal", changed, durably: false)
            let opened = try Database(path, .readWrite, key: store.key, durability: .process)
            #expect(try store.isWhole(opened), "\(position)")
            let count = try store.count(opened) ?? 0
            #expect(count >= 20 && count <= 32 && count % 2 == 0)
            counts.insert(count)
        }
        #expect(counts.count > 5)
    }

    @Test func aPageOfTheLogThatIsChangedMeanwhileIsNoticed() throws {
        let database = try store.create()
        try store.fill(database, 20)
        let log = try Files.read(store.path + "-wal", limit: 1 << 26)
        // In place, below everybody who has it open, and in all frames.
        let file = try FileDescriptor(opening: store.path + "-wal", 1)
        try file.write(log.enumerated().map { $0 >= 32 && $0 % 1000 == 999 ? $1 ^ 1 : $1 })
        #expect(throws: StoreError(.damaged, detail: 8202)) {
            try store.count(store.open(.readOnly))
        }
        #expect(throws: StoreError(.damaged, detail: 8202)) { try database.checkpoint() }
    }
}
