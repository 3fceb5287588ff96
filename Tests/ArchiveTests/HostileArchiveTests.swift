import Archive
import ByteCoding
import Testing

@Suite struct HostileArchiveTests {
    private typealias Entry = HandmadeArchive.Entry

    @Test func minimal_archive_is_read() throws {
        let archive = HandmadeArchive([
            Entry(), Entry { $0.name = "b/c" },
            Entry {
                $0.name = "b/"; $0.content = []; $0.attributes = 0o040700 << 16
            },
        ])
        #expect(
            try ArchiveSample.read(archive.bytes) == [
                "a": Bytes("content".utf8), "b/c": Bytes("content".utf8), "b/": [],
            ])
    }

    @Test(arguments: [
        "/etc/passwd", "../up", "a/../../up", "a/./b", ".", "..", "", "a//b", "a\\b", "C:x", "c:/x", "a\u{0}b", "a\nb",
        "a\u{7f}", "a\u{9b}b", String(repeating: "x", count: 256), String(repeating: "x/", count: 600) + "x",
        String(repeating: "x/", count: 32) + "x",
    ])
    func namesThatLeadAway(name: String) {
        let archive = HandmadeArchive {
            $0.name = name; $0.flags = 1 << 11
        }
        #expect(throws: ZipError.unsafeName) { try ArchiveSample.read(archive.bytes) }
    }

    @Test func otherNames() {
        // UTF-8 that is not said to be, and bytes that are no UTF-8.
        let unmarked = HandmadeArchive { $0.name = "ä" }
        #expect(throws: ZipError.unsafeName) { try ArchiveSample.read(unmarked.bytes) }
        let latin = HandmadeArchive { $0.name = "Z" }.bytes.map { $0 == UInt8(ascii: "Z") ? 0xe4 : $0 }
        #expect(throws: ZipError.unsafeName) { try ArchiveSample.read(latin) }
        for names in [["a", "a"], ["a", "a/b"], ["a/b", "a"], ["a/", "a"]] {
            let archive = HandmadeArchive(
                names.map { name in
                    Entry {
                        $0.name = name; $0.content = []; $0.attributes = 0
                    }
                })
            #expect(throws: ZipError.malformed("names")) { try ArchiveSample.read(archive.bytes) }
        }
    }

    @Test(arguments: [0o120777, 0o020666, 0o060660, 0o010600, 0o140600, 0o040700] as [UInt32])
    func entries_other_than_files_are_rejected(mode: UInt32) {
        let archive = HandmadeArchive { $0.attributes = mode << 16 }
        #expect(throws: ZipError.notAFile) { try ArchiveSample.read(archive.bytes) }
    }

    @Test func unsupported_features_are_rejected() {
        let cases: [(HandmadeArchive, ZipError)] = [
            (HandmadeArchive { $0.flags = 1 }, .unsupported("encryption")),
            (HandmadeArchive { $0.flags = 1 << 6 }, .unsupported("flags")),
            (HandmadeArchive { $0.flags = 1 << 13 }, .unsupported("flags")),
            (HandmadeArchive { $0.method = 12 }, .unsupported("compression")),
            (HandmadeArchive { $0.method = 99 }, .unsupported("compression")),
            (HandmadeArchive { $0.version = 63 }, .unsupported("version")),
            (HandmadeArchive { $0.disk = 1 }, .unsupported("several disks")),
            (HandmadeArchive([Entry()]) { $0.disk = 1 }, .unsupported("several disks")),
            (HandmadeArchive { $0.comment = [65] }, .unsupported("comment")),
            (HandmadeArchive { $0.extra = [0x75, 0x70, 1, 0, 1] }, .unsupported("second name")),
        ]
        for (archive, error) in cases {
            #expect(throws: error) { try ArchiveSample.read(archive.bytes) }
        }
    }

    @Test func inconsistent_archives_are_rejected() {
        let cases: [(HandmadeArchive, ZipError)] = [
            (HandmadeArchive { $0.localName = "b" }, .malformed("header")),
            (HandmadeArchive { $0.localName = "aa" }, .malformed("header")),
            (HandmadeArchive { $0.localFlags = 2 }, .malformed("header")),
            (HandmadeArchive { $0.localMethod = 8 }, .malformed("header")),
            (HandmadeArchive { $0.localSize = 3 }, .malformed("header")),
            (HandmadeArchive { $0.size = 3 }, .malformed("size")),
            (
                HandmadeArchive {
                    $0.compressedSize = 3; $0.size = 3
                }, .malformed("places")
            ),
            (
                HandmadeArchive {
                    $0.compressedSize = 9; $0.size = 9
                }, .malformed("places")
            ),
            (HandmadeArchive { $0.gap = [0] }, .malformed("places")),
            (HandmadeArchive { $0.extra = [1, 0, 0, 0] }, .malformed("64-bit numbers")),
            (
                HandmadeArchive { $0.extra = [1, 0, 8, 0] + Bytes(repeating: 0, count: 8) },
                .malformed("64-bit numbers")
            ),
            (HandmadeArchive { $0.extra = [9, 9, 9] }, .malformed("extra fields")),
            (HandmadeArchive { $0.extra = [9, 9, 9, 9] }, .malformed("extra fields")),
            (HandmadeArchive { $0.size = .max }, .malformed("64-bit numbers")),
            (
                HandmadeArchive {
                    $0.name = "a/"; $0.attributes = 0
                }, .malformed("folder")
            ),
            (HandmadeArchive { $0.attributes = 0x10 }, .malformed("folder")),
            (HandmadeArchive { $0.flags = 8 }, .malformed("descriptor")),
            (HandmadeArchive { $0.checksum = 1 }, .damaged),
            (HandmadeArchive { $0.method = 8 }, .damaged),
            (HandmadeArchive([Entry()]) { $0.prefix = [77, 90] }, .malformed("places")),
            (HandmadeArchive([Entry()]) { $0.betweenListAndEnd = [0] }, .malformed("list")),
            (HandmadeArchive([Entry()]) { $0.trailing = [0] }, .notAnArchive),
            (HandmadeArchive([Entry()]) { $0.comment = [0] }, .notAnArchive),
            (HandmadeArchive([Entry()]) { $0.count = 2 }, .malformed("list")),
            (HandmadeArchive([Entry(), Entry { $0.name = "b" }]) { $0.count = 1 }, .malformed("list")),
            (HandmadeArchive([Entry()]) { $0.listSize = 1 }, .malformed("list")),
            (HandmadeArchive([Entry()]) { $0.listOffset = 1 }, .malformed("list")),
            (HandmadeArchive([Entry()]) { $0.listOffset = .max }, .malformed("list")),
        ]
        for (index, (archive, error)) in cases.enumerated() {
            #expect(throws: error, "case \(index)") { try ArchiveSample.read(archive.bytes) }
        }
    }

    /// Two entries that share a content, and one inside of another: how a small archive becomes a large one.
    @Test func overlappingEntries() {
        let inner = HandmadeArchive { $0.name = "b" }.bytes
        let shared = HandmadeArchive([
            Entry(),
            Entry {
                $0.name = "b"; $0.offset = 0; $0.localName = "a"
            },
        ])
        #expect(throws: ZipError.malformed("places")) { try ArchiveSample.read(shared.bytes) }
        let nested = HandmadeArchive([
            Entry { $0.content = inner },
            Entry {
                $0.name = "b"; $0.offset = 31
            },
        ])
        #expect(throws: ZipError.malformed("places")) { try ArchiveSample.read(nested.bytes) }
    }

    @Test func limits() throws {
        let archive = try ArchiveSample.make([("a", Bytes(repeating: 0, count: 100_000)), ("b", [1, 2, 3])])
        func limited(_ change: (inout ArchiveLimits) -> Void) -> ArchiveLimits {
            var limits = ArchiveLimits()
            change(&limits)
            return limits
        }
        let exact = limited {
            $0.entries = 2; $0.total = 100_003; $0.directory = archive.count
        }
        #expect(try ArchiveSample.read(archive, exact).count == 2)
        let cases: [(ArchiveLimits, ZipError)] = [
            (limited { $0.entries = 1 }, .tooLarge("entries")), (limited { $0.total = 100_002 }, .tooLarge("contents")),
            (limited { $0.directory = 50 }, .tooLarge("list")),
            (
                limited {
                    $0.freeExpansion = 10; $0.expansion = 50
                }, .tooLarge("expansion")
            ),
        ]
        for (limits, error) in cases {
            #expect(throws: error) { try ArchiveSample.read(archive, limits) }
        }
        // Each for itself is small enough not to be looked at, but not both.
        let two = try ArchiveSample.make(["a", "b"].map { ($0, Bytes(repeating: 0, count: 100_000)) })
        let free = limited {
            $0.freeExpansion = 100_000; $0.expansion = 50
        }
        #expect(
            try ArchiveSample.read(
                archive,
                limited {
                    $0.freeExpansion = 100_003; $0.expansion = 50
                }
            ).count == 2)
        #expect(throws: ZipError.tooLarge("expansion")) { try ArchiveSample.read(two, free) }
        // What claims more than it has, or becomes more than it claims, is refused while it is read.
        let sizes = HandmadeArchive([
            Entry {
                $0.size = .max - 1; $0.compressedSize = .max - 1
            },
            Entry {
                $0.name = "b"; $0.size = .max - 1
            },
        ])
        #expect(throws: ZipError.self) { try ArchiveSample.read(sizes.bytes) }
    }
}
