import Archive
import ByteCoding

/// Archives in memory, and what is in them.
enum ArchiveSample {
    /// An archive of these contents, written in portions of a few bytes.
    static func make(
        _ contents: [(name: String, content: Bytes)], largest: Int? = nil, portion: Int = 1 << 18
    ) throws -> Bytes {
        var archive: Bytes = []
        let time = Timestamp(milliseconds: 1_790_000_000_000)
        let sink: (Bytes) -> Void = { archive += $0 }
        let writer =
            largest.map { ArchiveWriter(modified: time, largest: $0, sink: sink) }
            ?? ArchiveWriter(modified: time, sink: sink)
        for (name, content) in contents {
            var rest = content[...]
            let size = try writer.add(try EntryName(name), expectedSize: content.count) {
                defer { rest = rest.dropFirst(portion) }
                return Bytes(rest.prefix(portion))
            }
            guard size == content.count else { throw ZipError.damaged }
        }
        try writer.finish()
        guard writer.size == archive.count else { throw ZipError.damaged }
        return archive
    }

    /// Everything that an archive holds, checked to the last byte.
    static func read(_ archive: Bytes, _ limits: ArchiveLimits = .standard) throws -> [String: Bytes] {
        let reader = try ArchiveReader(ArchiveBytes(archive), limits: limits)
        var contents: [String: Bytes] = [:]
        for entry in reader.entries {
            var content = reader.content(of: entry), all: Bytes = []
            while let portion = try content.next() { all += portion }
            contents[entry.name.text + (entry.isFolder ? "/" : "")] = all
        }
        return contents
    }
}

/// A small archive made by hand, so that anything in it can be wrong.
struct HandmadeArchive {
    /// An entry with one stored content.
    struct Entry {
        var name = "a"
        var content = Bytes("content".utf8)
        var flags: UInt16 = 0
        var method: UInt16 = 0
        var version: UInt16 = 20
        var checksum: UInt32?
        /// What the list says the size is.
        var size: UInt32?
        var compressedSize: UInt32?
        var attributes: UInt32 = 0o100600 << 16
        var disk: UInt16 = 0
        var offset: UInt32?
        var extra: Bytes = []
        var localExtra: Bytes = []
        var localName: String?
        var localSize: UInt32?
        var localFlags: UInt16?
        var localMethod: UInt16?
        var comment: Bytes = []
        /// Bytes between this entry and the next.
        var gap: Bytes = []

        init(_ change: (inout Entry) -> Void = { _ in }) { change(&self) }
    }

    var entries: [Entry]
    var prefix: Bytes = []
    var betweenListAndEnd: Bytes = []
    var trailing: Bytes = []
    var comment: Bytes = []
    var count: UInt16?
    var listSize: UInt32?
    var listOffset: UInt32?
    var disk: UInt16 = 0

    init(_ entries: [Entry], _ change: (inout HandmadeArchive) -> Void = { _ in }) {
        self.entries = entries
        change(&self)
    }

    /// An archive with one entry.
    init(_ change: @escaping (inout Entry) -> Void) {
        self.init([Entry(change)])
    }

    var bytes: Bytes {
        var archive = prefix, list: Bytes = []
        for entry in entries {
            let offset = entry.offset ?? UInt32(archive.count)
            let checksum = entry.checksum ?? HandmadeArchive.checksum(entry.content)
            let size = entry.size ?? UInt32(entry.content.count)
            let compressed = entry.compressedSize ?? UInt32(entry.content.count)
            let localName = Bytes((entry.localName ?? entry.name).utf8), name = Bytes(entry.name.utf8)
            archive += le(0x0403_4b50, 4) + le(entry.version, 2) + le(entry.localFlags ?? entry.flags, 2)
            archive += le(entry.localMethod ?? entry.method, 2) + le(0x5d21_6000, 4) + le(checksum, 4)
            archive += le(compressed, 4) + le(entry.localSize ?? size, 4)
            archive += le(localName.count, 2) + le(entry.localExtra.count, 2) + localName + entry.localExtra
            archive += entry.content + entry.gap
            list += le(0x0201_4b50, 4) + le(3 << 8 | 20, 2) + le(entry.version, 2) + le(entry.flags, 2)
            list += le(entry.method, 2) + le(0x5d21_6000, 4) + le(checksum, 4) + le(compressed, 4) + le(size, 4)
            list += le(name.count, 2) + le(entry.extra.count, 2) + le(entry.comment.count, 2) + le(entry.disk, 2)
            list += le(0, 2) + le(entry.attributes, 4) + le(offset, 4) + name + entry.extra + entry.comment
        }
        let offset = listOffset ?? UInt32(archive.count), count = count ?? UInt16(entries.count)
        archive += list + betweenListAndEnd
        archive += le(0x0605_4b50, 4) + le(disk, 2) + le(disk, 2) + le(count, 2) + le(count, 2)
        archive += le(listSize ?? UInt32(list.count), 4) + le(offset, 4) + le(comment.count, 2) + comment
        return archive + trailing
    }

    /// CRC-32, bit by bit (RFC 1952, section 8).
    static func checksum(_ bytes: Bytes) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xedb8_8320 : 0) }
        }
    }

    private func le(_ number: some BinaryInteger, _ count: Int) -> Bytes {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
