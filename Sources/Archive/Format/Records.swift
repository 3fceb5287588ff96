import ByteCoding

/// The first four bytes of each record.
enum Signature {
    static let localHeader: UInt32 = 0x0403_4b50
    static let directoryRecord: UInt32 = 0x0201_4b50
    static let descriptor: UInt32 = 0x0807_4b50
    static let largeEnd: UInt32 = 0x0606_4b50
    static let largeEndLocator: UInt32 = 0x0706_4b50
    static let end: UInt32 = 0x0605_4b50
}

/// The sizes of records in bytes, without their variable parts.
enum RecordSize {
    static let localHeader = 30
    static let directoryRecord = 46
    static let largeEnd = 56
    static let largeEndLocator = 20
    static let end = 22
}

/// The flags of an entry (APPNOTE 4.4.4).
struct EntryFlags: OptionSet, Hashable {
    let rawValue: UInt16

    /// The checksum and the sizes follow the content.
    static let descriptor = EntryFlags(rawValue: 1 << 3)
    /// The name is UTF-8.
    static let utf8 = EntryFlags(rawValue: 1 << 11)
    /// The effort of the compressor, which readers ignore.
    static let effort: EntryFlags = [EntryFlags(rawValue: 1 << 1), EntryFlags(rawValue: 1 << 2)]
    static let encrypted = EntryFlags(rawValue: 1 << 0)

    static let known: EntryFlags = [descriptor, utf8, effort]
}

/// The storage method of a content (APPNOTE 4.4.5).
public enum EntryMethod: UInt16, Hashable, Sendable {
    /// Stored without compression.
    case stored = 0
    /// Compressed with Deflate.
    case deflated = 8
}

/// The version that a reader must support (APPNOTE 4.4.3), in tenths.
enum FormatVersion {
    static let deflate: UInt16 = 20
    static let large: UInt16 = 45
    /// The version 4.5 on Unix, with Unix permissions in the upper half of the attributes.
    static let madeBy: UInt16 = 3 << 8 | large

    /// True if entries of this version can be read. Some programs name their system in the upper byte, as in the version of
    /// the maker.
    static func isSupported(_ version: UInt16) -> Bool { version & 0xff <= large }
}

/// The extra fields of an entry (APPNOTE 4.5), of which only the one with 64-bit numbers is supported.
struct ExtraFields {
    static let largeNumbers: UInt16 = 0x0001
    /// Another name of the entry: different readers could see different names.
    private static let unicodeName: UInt16 = 0x7075

    /// The content of the field with 64-bit numbers, or nil without one.
    let large: Bytes?

    init(_ bytes: Bytes) throws(ZipError) {
        var reader = LittleEndianReader(bytes, "extra fields")
        var found: Bytes?
        while reader.remaining > 0 {
            let id = try reader.uint16()
            let content = try reader.take(Int(try reader.uint16()))
            guard id != ExtraFields.unicodeName else { throw .unsupported("second name") }
            guard id == ExtraFields.largeNumbers else { continue }
            guard found == nil else { throw .malformed("extra fields") }
            found = content
        }
        large = found
    }
}
