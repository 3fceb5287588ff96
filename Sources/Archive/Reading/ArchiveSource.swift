public import ByteCoding
public import SystemIO

/// Where the bytes of an archive are: a file, or memory in tests.
public protocol ArchiveSource: Sendable {
    /// How many bytes there are.
    var size: Int { get }
    /// Up to `count` bytes from `offset` on; fewer only at the end.
    func bytes(at offset: Int, count: Int) throws(ZipError) -> Bytes
}

extension ArchiveSource {
    /// Exactly `count` bytes from `offset` on. Numbers come from the archive: whatever does not lie in it is an error.
    func exactly(_ count: Int, at offset: Int, _ part: StaticPart) throws(ZipError) -> Bytes {
        guard offset >= 0, count >= 0, offset <= size, count <= size - offset else { throw .malformed(part) }
        let bytes = try bytes(at: offset, count: count)
        // A file that became shorter meanwhile.
        guard bytes.count == count else { throw .malformed(part) }
        return bytes
    }
}

/// An archive in a file, read from any place.
public final class ArchiveFile: ArchiveSource {
    public let size: Int
    private let file: FileDescriptor

    /// Takes over a descriptor of a regular file.
    public init(_ file: consuming FileDescriptor) throws(SystemError) {
        size = try file.size()
        self.file = file
    }

    public func bytes(at offset: Int, count: Int) throws(ZipError) -> Bytes {
        do throws(SystemError) {
            return try file.read(count, at: offset, "read the archive")
        } catch {
            throw .system(error)
        }
    }
}

/// An archive in memory.
public struct ArchiveBytes: ArchiveSource {
    private let bytes: Bytes

    public init(_ bytes: Bytes) {
        self.bytes = bytes
    }

    public var size: Int { bytes.count }

    public func bytes(at offset: Int, count: Int) throws(ZipError) -> Bytes {
        Bytes(bytes.dropFirst(offset).prefix(count))
    }
}
