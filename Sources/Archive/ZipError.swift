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
