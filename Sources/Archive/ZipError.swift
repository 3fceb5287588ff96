public import SystemIO

/// A failure of reading or writing an archive. It contains neither a name nor content.
public enum ZipError: Error, Hashable, Sendable {
    /// The file is not a zip archive, or its end is missing.
    case notAnArchive
    /// The archive violates the format or is inconsistent. The value names the part.
    case malformed(_ part: StaticPart)
    /// The archive uses an unsupported part of the format: encryption, several disks, other compression.
    case unsupported(_ part: StaticPart)
    /// A name leads out of the folder, or depends on the system.
    case unsafeName
    /// An entry is neither a file nor a folder, such as a link or a device.
    case notAFile
    /// The archive exceeds a limit: entries, bytes, or the expansion ratio.
    case tooLarge(_ part: StaticPart)
    /// The content of an entry does not match its checksum or size.
    case damaged
    /// A source grew so much while it was read that the entry cannot express the size.
    case grown
    /// A system call failed.
    case system(SystemError)
}

/// A word known at compile time.
public struct StaticPart: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The word.
    public let description: String

    /// Creates a word from a literal.
    public init(stringLiteral value: StaticString) {
        description = value.description
    }
}
