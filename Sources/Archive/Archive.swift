/// Zip archives (APPNOTE 6.3), as much of the format as moving a store needs.
///
/// - ``ArchiveWriter`` writes entries one after the other into whatever takes bytes, a pipe too: sizes and checksums follow
///   the contents, and nothing is ever written twice.
/// - ``ArchiveReader`` reads the list of entries from a file or from memory and checks all of it before any content is
///   looked at; ``EntryContent`` then gives the content of one entry, portion by portion.
/// - ``EntryName`` is a name that can be trusted with a path; ``ArchiveLimits`` is how much an archive may demand.
///
/// Why not a zip library: those of the distribution either cannot be linked statically, cannot write into a pipe, or accept
/// archives that mean different things to different readers. Here every byte of an archive belongs to exactly one thing:
/// the entries lie side by side from the first byte to the list, the list reaches to the end record, and that to the end
/// of the file. What is said twice must be said alike. So there is no room for a second, hidden archive in the first.
///
/// zlib does the compression (RFC 1951) and the checksum. Nothing here knows a store, and nothing is created on disk.
public import SystemIO

/// Why an archive cannot be read or written. It never holds a name or contents.
public enum ZipError: Error, Hashable, Sendable {
    /// This is no zip archive, or its end is missing.
    case notAnArchive
    /// The archive contradicts the format, or itself; the word names the part.
    case malformed(_ part: StaticPart)
    /// A part of the format that no archive of a store has: encryption, several disks, other compression.
    case unsupported(_ part: StaticPart)
    /// A name that leads out of the folder, or that means different things to different systems.
    case unsafeName
    /// Something other than a file or a folder: a link, a device.
    case notAFile
    /// More than the limits allow: entries, bytes, or bytes for so little compressed.
    case tooLarge(_ part: StaticPart)
    /// The content of an entry is not what its checksum or size says.
    case damaged
    /// A source became so much larger while it was read that the entry cannot say so any more.
    case grown
    case system(SystemError)
}

/// A word known when the program was built.
public struct StaticPart: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let description: String

    public init(stringLiteral value: StaticString) {
        description = value.description
    }
}
