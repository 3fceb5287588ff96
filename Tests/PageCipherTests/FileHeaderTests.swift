import ByteCoding
import CryptoCore
import PageCipher
import Store
import SystemIO
import TestSupport
import Testing

/// The header in front of a database.
@Suite struct FileHeaderTests {
    private let old = Credential.passphrase(Secret(copying: Bytes("old".utf8)))
    private let new = Credential.keyFile(Secret(copying: Bytes("new, of some length".utf8)))
    private let key: StoreKey
    private let slots: KeySlots
    private let header: FileHeader
    private static let halfSize = 2048

    init() throws {
        (key, slots) = try KeySlots.fresh(for: old, cost: .minimal)
        header = FileHeader(key: key, slots: slots)
    }

    @Test func header_recognizes_its_key() throws {
        #expect(header.encoded.count == FileHeader.size)
        #expect(try FileHeader(header.encoded + [1, 2, 3]) == header)
        #expect(header.belongs(to: key) && !header.belongs(to: StoreKey()))
        #expect(FileHeader(key: key, slots: slots) != header)
    }

    @Test func foreign_bytes_are_not_a_header() throws {
        #expect(try FileHeader([]) == nil)
        #expect(try FileHeader(Bytes("SQLite format 3\0".utf8) + [1, 2]) == nil)
        #expect(throws: CipherError.notAStore) { try FileHeader(Bytes("SQLite format".utf8)) }
        #expect(throws: CipherError.notAStore) { try FileHeader(Bytes(repeating: 0, count: 8192)) }
        var newer = Bytes(header.encoded.prefix(Self.halfSize - SHA256.size))
        newer[17] = 2
        newer += SHA256.hash(newer)
        #expect(throws: CipherError.newerFormat) { try FileHeader(newer + newer) }
    }

    @Test func oneHalfIsEnough() throws {
        let encoded = header.encoded
        for position in stride(from: 0, to: encoded.count, by: 3) {
            var changed = encoded
            changed[position] ^= 0x40
            #expect(try FileHeader(changed) == header, "\(position)")
            // The same place in the other half too.
            changed[(position + Self.halfSize) % encoded.count] ^= 0x40
            let isMagic = position % Self.halfSize < 16
            #expect(throws: isMagic ? CipherError.notAStore : .damagedHeader) { try FileHeader(changed) }
        }
        for count in stride(from: 1, to: encoded.count, by: 7) {
            let error = count < 16 ? CipherError.notAStore : .damagedHeader
            #expect(throws: error) { try FileHeader(Bytes(encoded.prefix(count))) }
        }
    }

    /// A crash may come between any two writes, and in the middle of one.
    @Test func aChangeOfSlotsIsAllOrNothing() throws {
        let changed = try slots.replacing(1, by: new, for: key, cost: .minimal)
        var next = header
        next.slots = changed
        let before = header.encoded, after = next.encoded
        for (states, half) in [(before, 0), (Bytes(after.prefix(Self.halfSize)) + before.suffix(Self.halfSize), 1)] {
            for written in stride(from: 0, through: Self.halfSize, by: 64) {
                var torn = states
                let range = half * Self.halfSize..<half * Self.halfSize + written
                torn.replaceSubrange(range, with: after[range])
                let read = try FileHeader(torn)
                #expect(read == header || read == next)
                #expect(try read?.slots.unlock(with: old).key.isEqual(to: key) == true)
            }
        }
    }

    @Test func slotsAreReplacedInAFileThatIsOpen() throws {
        let folder = try TemporaryFolder(), path = "\(folder.path)/store.db"
        let database = try Database(path, .create, key: key, slots: slots)
        try database.run("CREATE TABLE things (name TEXT)")
        let changed = try slots.replacing(1, by: new, for: key, cost: .minimal)
        let settled = try #require(changed.settled)
        for next in [changed, changed, settled] {
            try FileHeader.replaceSlots(of: path, by: next)
            #expect(try FileHeader.read(path)?.slots == next)
        }
        let bytes = try Files.read(path, limit: 1 << 20)
        #expect(bytes[..<Self.halfSize] == bytes[Self.halfSize..<2 * Self.halfSize])
        // A half that is damaged is the one to be replaced first.
        for position in [100, Self.halfSize + 100] {
            var damaged = bytes
            damaged[position] ^= 1
            let other = "\(folder.path)/damaged \(position).db"
            try TemporaryFolder.write(damaged, to: other)
            try FileHeader.replaceSlots(of: other, by: settled.adding(old, for: key, cost: .minimal))
            #expect(try FileHeader.read(other)?.slots.slots.count == 2)
        }
        try database.run("INSERT INTO things VALUES ('a')")
        // Who opened and closed the file meanwhile did not take the locks away: it is not the last connection.
        _ = try Database(path, .readWrite, key: key)
        #expect(Files.exists(path + "-wal"))
        let opened = try settled.unlock(with: new).key
        let names = try Database(path, .readOnly, key: opened).rows("SELECT name FROM things") {
            row throws(StoreError) in
            try row.text()
        }
        #expect(names == ["a"])
    }

    @Test func damaged_headers_are_distinct_errors() throws {
        let folder = try TemporaryFolder(), path = "\(folder.path)/store.db"
        try Database(path, .create, key: key, slots: slots).run("CREATE TABLE things (name TEXT)")
        let bytes = try Files.read(path, limit: 1 << 20)
        func open(_ positions: [Int]) throws {
            var damaged = bytes
            for position in positions { damaged[position] ^= 1 }
            try Files.replace(path, damaged, durably: false)
            _ = try Database(path, .readWrite, key: key)
        }
        try open([100])
        #expect(throws: StoreError(.damaged, detail: 11)) { try open([100, Self.halfSize + 1000]) }
        #expect(throws: StoreError(.notADatabase, detail: 26)) { try open([1, Self.halfSize + 1]) }
        #expect(throws: StoreError(.damaged, detail: 11)) { try open([1, Self.halfSize + 30]) }
    }
}
