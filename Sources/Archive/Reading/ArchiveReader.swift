import ByteCoding

/// The list of entries of an archive, all of which was checked.
///
/// Nothing is unpacked: ``content(of:)`` gives the content of one entry to whoever wants it.
public struct ArchiveReader<Source: ArchiveSource>: Sendable {
    public let entries: [ArchiveEntry]
    private let source: Source

    /// Reads and checks the list, and the headers in front of all contents.
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

    /// The content of an entry of this archive.
    public func content(of entry: ArchiveEntry) -> EntryContent {
        EntryContent(entry, source)
    }

    /// No two entries are the same, and none is in another that is a file.
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
        // Many entries that are allowed to expand each for itself are a bomb together.
        guard limits.allow(size: total, compressedSize: compressed) else { throw .tooLarge("expansion") }
    }

    /// Reads the header in front of each content. Together the entries must fill the archive up to the list: what lies in
    /// none of them could be something else to another reader, and what lies in two is how a small archive becomes large.
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

/// How much an archive may demand of whoever reads it.
public struct ArchiveLimits: Hashable, Sendable {
    /// How many entries there may be.
    public var entries = 200_000
    /// The size of the list of entries in bytes, which is in memory.
    public var directory = 64 << 20
    /// The size of all contents together in bytes. What can be afforded depends on the disk, so callers lower it.
    public var total = 1 << 44
    /// How many times larger than its compressed form a content may be, where it is larger than ``freeExpansion``.
    public var expansion = 200
    /// Up to this size in bytes it does not matter how well a content was compressed.
    public var freeExpansion = 64 << 20

    public static let standard = ArchiveLimits()

    public init() {}

    /// Whether a content may have these sizes.
    func allow(size: Int, compressedSize: Int) -> Bool {
        size <= freeExpansion || size / expansion <= compressedSize
    }
}
