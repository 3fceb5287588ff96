import Archive
import ByteCoding
import CryptoCore
import TestSupport
import Testing

@Suite struct RoundTripTests {
    private static let text = Bytes(String(repeating: "all work and no play ", count: 20_000).utf8)

    @Test(arguments: [1, 17, 65_536, 1 << 18])
    func written_content_is_read_back(portion: Int) throws {
        let noise = SeededRandom(seed: 1).bytes(portion < 100 ? 1000 : 700_000)
        let contents: [(name: String, content: Bytes)] = [
            ("simplex_v1_chat.db", portion < 100 ? Bytes(RoundTripTests.text.prefix(1000)) : RoundTripTests.text),
            ("empty", []), ("simplex_v1_files/größe 👋.bin", noise), ("simplex_v1_files/a:b", [0]),
        ]
        // Numbers of 32 bits, numbers of 64 bits for some, and for all.
        for largest in [nil, 500, 0] {
            let archive = try ArchiveSample.make(contents, largest: largest, portion: portion)
            let read = try ArchiveSample.read(archive)
            #expect(read == Dictionary(uniqueKeysWithValues: contents.map { ($0.name, $0.content) }))
        }
    }

    @Test func incompressible_content_is_stored() throws {
        let noise = SeededRandom(seed: 2).bytes(100_000)
        let archive = try ArchiveSample.make([("noise", noise), ("text", RoundTripTests.text)])
        let entries = try ArchiveReader(ArchiveBytes(archive)).entries
        #expect(entries.map(\.method) == [.stored, .deflated])
        #expect(entries[0].compressedSize == noise.count)
        #expect(entries[1].compressedSize < RoundTripTests.text.count / 50)
    }

    @Test func anArchiveWithoutEntries() throws {
        let archive = try ArchiveSample.make([])
        #expect(archive.count == 22)
        #expect(try ArchiveSample.read(archive).isEmpty)
    }

    @Test func manyEntries() throws {
        // One more than 16 bits can count.
        let names = (0..<65_536).map { "f/\($0)" }
        let archive = try ArchiveSample.make(names.map { ($0, []) })
        #expect(try ArchiveReader(ArchiveBytes(archive)).entries.map(\.name.text) == names)
    }

    /// What compresses extremely well is not refused as a bomb by the program that wrote it.
    @Test func own_archives_respect_expansion_limit() throws {
        var size = 0
        var limits = ArchiveLimits()
        limits.freeExpansion = 0
        var archive: Bytes = []
        let writer = ArchiveWriter(modified: Timestamp(milliseconds: 0)) { archive += $0 }
        let portion = Bytes(repeating: 0, count: 1 << 18)
        try writer.add(try EntryName("zeros"), expectedSize: 100 << 20) {
            size += portion.count
            return size <= 100 << 20 ? portion : []
        }
        try writer.finish()
        #expect(archive.count < 2 << 20)
        let reader = try ArchiveReader(ArchiveBytes(archive), limits: limits)
        var content = reader.content(of: try #require(reader.entries.first)), total = 0
        try content.forEachPortion { total += $0.count }
        #expect(total == 100 << 20)
    }

    @Test func aSourceThatFailsEndsTheArchive() throws {
        struct Failure: Error {}
        let writer = ArchiveWriter(modified: Timestamp(milliseconds: 0)) { _ in }
        #expect(throws: Failure.self) {
            try writer.add(try EntryName("a"), expectedSize: 1) { throw Failure() }
        }
    }

    /// Every archive that is cut or has one other byte is refused, or holds exactly the same.
    @Test(arguments: [nil, 0] as [Int?])
    func damageIsNoticed(largest: Int?) throws {
        let contents: [(name: String, content: Bytes)] = [
            ("ä/b", Bytes("stored".utf8)), ("c", Bytes(RoundTripTests.text.prefix(300))), ("d", []),
        ]
        let archive = try ArchiveSample.make(contents, largest: largest)
        let whole = try ArchiveSample.read(archive)
        var accepted = 0
        Damage.survive(archive) { variant in
            let read = try ArchiveSample.read(variant)
            accepted += 1
            #expect(read == whole, "another content: \(Hex.encode(variant))")
        }
        // What nobody reads: the program that wrote, attributes, bits of effort. One bit of them is one variant.
        #expect(accepted < archive.count)
    }
}
