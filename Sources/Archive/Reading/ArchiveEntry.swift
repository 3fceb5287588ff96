import ByteCoding

/// A verified entry of an archive.
public struct ArchiveEntry: Hashable, Sendable {
    /// The name.
    public let name: EntryName
    /// True if the entry is a folder, which has no content.
    public let isFolder: Bool
    /// The size of the content in bytes.
    public let size: Int
    /// The compressed size of the content in bytes.
    public let compressedSize: Int
    /// The storage method.
    public let method: EntryMethod
    let checksum: UInt32
    let flags: EntryFlags
    let modified: UInt32
    /// The offset of the local header.
    let offset: Int
    /// The offset of the compressed content, known after reading the local header.
    var contentOffset = 0

    /// The end of the compressed content.
    var contentEnd: Int { contentOffset + compressedSize }
}

extension ArchiveEntry {
    /// Reads a record of the directory (APPNOTE 4.3.12).
    init(_ reader: inout LittleEndianReader, _ limits: ArchiveLimits) throws(ZipError) {
        try reader.expect(Signature.directoryRecord)
        _ = try reader.uint16()
        guard FormatVersion.isSupported(try reader.uint16()) else { throw .unsupported("version") }
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
        // Only numbers out of the 32-bit range are present, in this order (APPNOTE 4.5.3).
        var large = LittleEndianReader(extra.large ?? [], "64-bit numbers")
        let sizes = try [size, compressed, offset].map { number throws(ZipError) in try large.number(for: number) }
        let realDisk = disk == UInt16.max ? try large.uint32() : UInt32(disk)
        guard realDisk == 0 else { throw .unsupported("several disks") }
        try large.finish()
        // A superfluous field could have a meaning for another reader.
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

    /// Checks the sizes against the limits.
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
        // Without the flag the name is in another character set.
        guard flags.contains(.utf8) || name.isASCII else { throw .unsafeName }
        return (name, isFolder)
    }

    /// Checks the Unix mode in the upper half, without regard to the system in the record: some readers use only the
    /// mode.
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
    /// Returns a 32-bit number, or the next 64-bit number if it is marked.
    fileprivate mutating func number(for short: UInt32) throws(ZipError) -> Int {
        guard short == UInt32.max else { return Int(short) }
        guard let number = Int(exactly: try uint64()) else { throw .malformed("64-bit numbers") }
        return number
    }
}
