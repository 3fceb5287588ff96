public import ByteCoding

/// A writer of an archive from its first byte to its last.
///
/// Sizes and checksums follow each content. So contents are read only once, may change while they are read, and may be
/// piped. The memory holds a portion of a content and about a hundred bytes for each entry.
public final class ArchiveWriter {
    private let sink: (Bytes) throws -> Void
    /// The limit of 32-bit fields; lower in tests.
    private let largest: Int
    private let modified: Timestamp
    private var directory = ByteWriter()
    private var count = 0
    /// The number of bytes written.
    public private(set) var size = 0

    /// The size of the compression sample in bytes, and the largest worthwhile compressed size in percent.
    private static let sample = 1 << 16
    private static let worth = 95
    /// The largest expected size with 32-bit fields, because a file may grow until it is read.
    private static let largestShort = 1 << 31

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - modified: The modification time of all entries, in UTC.
    ///   - sink: Takes the archive, portion by portion. Its errors end the archive.
    public convenience init(modified: Timestamp, sink: @escaping (Bytes) throws -> Void) {
        self.init(modified: modified, largest: ArchiveWriter.largestShort, sink: sink)
    }

    /// Creates a writer with another limit of 32-bit fields, for tests.
    package init(modified: Timestamp, largest: Int, sink: @escaping (Bytes) throws -> Void) {
        self.modified = modified
        self.largest = largest
        self.sink = sink
    }

    /// Writes an entry.
    ///
    /// - Parameters:
    ///   - expectedSize: The expected size of the content in bytes.
    ///   - next: Returns the next portion of the content; empty at its end.
    /// - Returns: The size of the content in bytes.
    /// - Throws: ``ZipError/grown``, and the errors of `next` and the sink.
    @discardableResult
    public func add(_ name: EntryName, expectedSize: Int, _ next: () throws -> Bytes) throws -> Int {
        let first = try next()
        let header = Header(
            name: name, method: try ArchiveWriter.method(for: first), isLarge: expectedSize >= largest,
            modified: modified.archiveTime, offset: size)
        try write(header.local)
        let start = size
        let (content, checksum) = try copy(first, header, next)
        let end = Header.End(checksum: checksum, compressed: size - start, size: content)
        guard header.isLarge || max(end.size, end.compressed) < UInt32.max else { throw ZipError.grown }
        try write(header.descriptor(end))
        directory.raw(header.directoryRecord(end, isFar: header.offset >= largest))
        count += 1
        return content
    }

    /// Writes the directory and the end. No entry can be added afterwards.
    public func finish() throws {
        let offset = size
        try write(directory.bytes)
        try write(EndRecord.encoded(count: count, directory: offset..<size, largest: largest))
    }

    private func copy(_ first: Bytes, _ header: Header, _ next: () throws -> Bytes) throws -> (Int, UInt32) {
        var portion = first, content = 0
        var checksum = Checksum()
        var deflater = header.method == .deflated ? Deflater() : nil
        while !portion.isEmpty {
            content += portion.count
            checksum.add(portion)
            if deflater == nil { try write(portion) } else { try deflater?.add(portion, write) }
            portion = try next()
        }
        try deflater?.finish(write)
        return (content, checksum.value)
    }

    /// Chooses the method by the start of the content: encrypted or compressed content is stored.
    private static func method(for first: Bytes) throws -> EntryMethod {
        let beginning = Bytes(first.prefix(sample))
        var deflater = Deflater(), compressed = 0
        try deflater.add(beginning) { compressed += $0.count }
        try deflater.finish { compressed += $0.count }
        return compressed * 100 < beginning.count * worth ? .deflated : .stored
    }

    private func write(_ bytes: Bytes) throws {
        guard !bytes.isEmpty else { return }
        try sink(bytes)
        size += bytes.count
    }
}
