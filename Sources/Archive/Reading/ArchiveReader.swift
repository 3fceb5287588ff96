import ByteCoding

/// A reader of an archive with a verified directory.
///
/// Nothing is unpacked on creation: ``content(of:)`` returns the content of one entry.
public struct ArchiveReader<Source: ArchiveSource>: Sendable {
    /// The entries in the order of the directory.
    public let entries: [ArchiveEntry]
    private let source: Source

    /// Reads and verifies the directory and the local headers.
    ///
    /// - Throws: ``ZipError``.
    public init(_ source: Source, limits: ArchiveLimits = .standard) throws(ZipError) {
        let end = try EndRecord(source, limits)
        let directory = try source.exactly(end.directory.count, at: end.directory.lowerBound, "list")
        var reader = LittleEndianReader(directory, "list")
        var entries: [ArchiveEntry] = []
        for _ in 0..<end.entries {
            entries.append(try ArchiveEntry(&reader, limits))
        }
        try reader.finish()
        try ArchiveReader.checkNames(entries)
        try ArchiveReader.checkTotal(entries, limits)
        try ArchiveReader.locate(&entries, in: source, until: end.directory.lowerBound)
        self.entries = entries
        self.source = source
    }

    /// Returns the content of an entry of this archive.
    public func content(of entry: ArchiveEntry) -> EntryContent {
        EntryContent(entry, source)
    }

    /// Checks that names are unique, and that no entry is inside of a file.
    private static func checkNames(_ entries: [ArchiveEntry]) throws(ZipError) {
        var names: [Bytes: Bool] = [:]
        for entry in entries {
            guard names.updateValue(entry.isFolder, forKey: entry.name.bytes) == nil else { throw .malformed("names") }
        }
        for entry in entries where entry.name.folders.contains(where: { names[$0] == false }) {
            throw .malformed("names")
        }
    }

    private static func checkTotal(_ entries: [ArchiveEntry], _ limits: ArchiveLimits) throws(ZipError) {
        var total = 0, compressed = 0
        for entry in entries {
            let (sum, isTooLarge) = total.addingReportingOverflow(entry.size)
            guard !isTooLarge, sum <= limits.total else { throw .tooLarge("contents") }
            total = sum
            let (packed, isOverflow) = compressed.addingReportingOverflow(entry.compressedSize)
            compressed = isOverflow ? .max : packed
        }
        // Entries within their own limits may still be a decompression bomb together.
        guard limits.allow(size: total, compressedSize: compressed) else { throw .tooLarge("expansion") }
    }

    /// Reads the local header of each entry. The entries must fill the archive up to the directory. Gaps could have a
    /// meaning for another reader, and overlaps let a small archive become large.
    private static func locate(
        _ entries: inout [ArchiveEntry], in source: Source, until end: Int
    ) throws(ZipError) {
        var position = 0
        let order = entries.indices.sorted { entries[$0].offset < entries[$1].offset }
        for index in order {
            guard entries[index].offset == position else { throw .malformed("places") }
            position = try LocalHeader.locate(&entries[index], in: source, until: end)
        }
        guard position == end else { throw .malformed("places") }
    }
}

/// The limits for reading an archive.
public struct ArchiveLimits: Hashable, Sendable {
    /// The largest number of entries.
    public var entries = 200_000
    /// The largest size of the directory in bytes, which is held in memory.
    public var directory = 64 << 20
    /// The largest size of all contents in bytes. Callers lower it to the space on the disk.
    public var total = 1 << 44
    /// The largest expansion ratio of a content above ``freeExpansion``.
    public var expansion = 200
    /// The size in bytes up to which the expansion ratio is not limited.
    public var freeExpansion = 64 << 20

    /// The default limits.
    public static let standard = ArchiveLimits()

    /// Creates an archive limits.
    public init() {}

    /// Returns true if a content may have these sizes.
    func allow(size: Int, compressedSize: Int) -> Bool {
        size <= freeExpansion || size / expansion <= compressedSize
    }
}
