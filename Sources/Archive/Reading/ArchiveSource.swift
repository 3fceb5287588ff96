public import ByteCoding
public import SystemIO

/// The source of an archive's bytes: a file, or memory in tests.
public protocol ArchiveSource: Sendable {
    /// The size in bytes.
    var size: Int { get }
    /// Reads up to `count` bytes from `offset` on; fewer only at the end.
    ///
    /// - Throws: ``ZipError/system(_:)``.
    func bytes(at offset: Int, count: Int) throws(ZipError) -> Bytes
}

extension ArchiveSource {
    /// Reads exactly `count` bytes from `offset` on. The numbers come from the archive; a range outside of it is an
    /// error.
    func exactly(_ count: Int, at offset: Int, _ part: StaticPart) throws(ZipError) -> Bytes {
        guard offset >= 0, count >= 0, offset <= size, count <= size - offset else { throw .malformed(part) }
        let bytes = try bytes(at: offset, count: count)
        // The file was shortened meanwhile.
        guard bytes.count == count else { throw .malformed(part) }
        return bytes
    }
}

/// An archive in a file with random access.
public final class ArchiveFile: ArchiveSource {
    /// The size in bytes.
    public let size: Int
    private let file: FileDescriptor

    /// Takes ownership of the descriptor of a regular file.
    ///
    /// - Throws: ``SystemError``.
    public init(_ file: consuming FileDescriptor) throws(SystemError) {
        size = try file.size()
        self.file = file
    }

    /// Reads up to `count` bytes from `offset` on; fewer only at the end.
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

    /// Creates an archive from its bytes.
    public init(_ bytes: Bytes) {
        self.bytes = bytes
    }

    /// The size in bytes.
    public var size: Int { bytes.count }

    /// Reads up to `count` bytes from `offset` on; fewer only at the end.
    public func bytes(at offset: Int, count: Int) throws(ZipError) -> Bytes {
        Bytes(bytes.dropFirst(offset).prefix(count))
    }
}
