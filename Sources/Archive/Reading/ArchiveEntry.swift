import ByteCoding

/// One entry of an archive that was checked.
public struct ArchiveEntry: Hashable, Sendable {
    public let name: EntryName
    /// A folder has no content.
    public let isFolder: Bool
    /// The size of the content in bytes.
    public let size: Int
    public let compressedSize: Int
    public let method: EntryMethod
    let checksum: UInt32
    let flags: EntryFlags
    let modified: UInt32
    /// Where the local header begins.
    let offset: Int
    /// Where the compressed content begins: known when the local header was read.
    var contentOffset = 0

    /// Where the compressed content ends.
    var contentEnd: Int { contentOffset + compressedSize }
}

extension ArchiveEntry {
    /// Reads a record of the list (APPNOTE 4.3.12).
    init(_ reader: inout LittleEndianReader, _ limits: ArchiveLimits) throws(ZipError) {
        try reader.expect(Signature.directoryRecord)
        _ = try reader.uint16()
        guard try reader.uint16() <= FormatVersion.large else { throw .unsupported("version") }
        let flags = EntryFlags(rawValue: try reader.uint16())
        let method = try ArchiveEntry.method(try reader.uint16(), flags)
        let modified = try reader.uint32()
        let checksum = try reader.uint32()
        let compressed = try reader.uint32(), size = try reader.uint32()
        let nameSize = Int(try reader.uint16()), extraSize = Int(try reader.uint16())
        guard try reader.uint16() == 0 else { throw .unsupported("comment") }
        let disk = try reader.uint16()
        _ = try reader.uint16()
        let attributes = try reader.uint32(), offset = try reader.uint32()
        let (name, isFolder) = try ArchiveEntry.name(try reader.take(nameSize), flags)
        let extra = try ExtraFields(try reader.take(extraSize))
        // Only the numbers that do not fit are there, in this order (APPNOTE 4.5.3).
        var large = LittleEndianReader(extra.large ?? [], "64-bit numbers")
        let sizes = try [size, compressed, offset].map { number throws(ZipError) in try large.number(for: number) }
        let realDisk = disk == UInt16.max ? try large.uint32() : UInt32(disk)
        guard realDisk == 0 else { throw .unsupported("several disks") }
        try large.finish()
        // A field that says nothing could say something to another reader.
        guard extra.large?.isEmpty != true else { throw .malformed("64-bit numbers") }
        try ArchiveEntry.checkAttributes(attributes, isFolder: isFolder)
        self.name = name
        self.isFolder = isFolder
        self.size = sizes[0]
        self.compressedSize = sizes[1]
        self.offset = sizes[2]
        self.method = method
        self.checksum = checksum
        self.flags = flags
        self.modified = modified
        try check(limits)
    }

    /// What sizes an entry can have.
    private func check(_ limits: ArchiveLimits) throws(ZipError) {
        guard method == .deflated || size == compressedSize else { throw .malformed("size") }
        guard !isFolder || (size == 0 && checksum == 0 && compressedSize <= 2) else { throw .malformed("folder") }
        guard limits.allow(size: size, compressedSize: compressedSize) else { throw .tooLarge("expansion") }
    }

    static func method(_ number: UInt16, _ flags: EntryFlags) throws(ZipError) -> EntryMethod {
        guard !flags.contains(.encrypted) else { throw .unsupported("encryption") }
        guard flags.isSubset(of: .known) else { throw .unsupported("flags") }
        guard let method = EntryMethod(rawValue: number) else { throw .unsupported("compression") }
        return method
    }

    static func name(_ bytes: Bytes, _ flags: EntryFlags) throws(ZipError) -> (EntryName, isFolder: Bool) {
        let isFolder = bytes.last == UInt8(ascii: "/")
        let name = try EntryName(bytes: isFolder ? bytes.dropLast() : bytes)
        // Without the flag the name is in the character set of another system.
        guard flags.contains(.utf8) || name.isASCII else { throw .unsafeName }
        return (name, isFolder)
    }

    /// The upper half holds the mode of a Unix file, whatever system the archive says it is from: some readers look at
    /// nothing else.
    private static func checkAttributes(_ attributes: UInt32, isFolder: Bool) throws(ZipError) {
        switch attributes >> 28 {
        case 0: break
        case 0o10 where !isFolder, 0o04 where isFolder: break
        default: throw .notAFile
        }
        let isMarkedAsFolder = attributes & 0x10 != 0
        guard isFolder || !isMarkedAsFolder else { throw .malformed("folder") }
    }
}

extension LittleEndianReader {
    /// A number of 32 bits, or if it is the mark for that, the next of 64 bits.
    fileprivate mutating func number(for short: UInt32) throws(ZipError) -> Int {
        guard short == UInt32.max else { return Int(short) }
        guard let number = Int(exactly: try uint64()) else { throw .malformed("64-bit numbers") }
        return number
    }
}
