import ByteCoding
import Glibc
public import SystemIO

/// A part of a file that holds a chunk: the source of an upload, or the target of a download.
///
/// Reading and writing block for the disk.
public final class ChunkFile {
    private let file: FileDescriptor
    private let start: Int
    /// The size of the part in bytes.
    public let size: Int

    /// Takes a part of an open file.
    ///
    /// - Parameters:
    ///   - file: The file, open for reading or writing.
    ///   - start: The first byte of the part.
    ///   - size: The size of the part in bytes.
    public init(_ file: consuming FileDescriptor, start: Int64, size: UInt32) {
        self.file = file
        self.start = Int(start)
        self.size = Int(size)
    }

    /// Returns up to `count` bytes of the part.
    ///
    /// - Throws: ``SystemError``; an end of the file inside of the part is an error too.
    func read(_ count: Int, at offset: Int) throws(SystemError) -> Bytes {
        let count = min(count, size - offset)
        let bytes = try file.read(count, at: start + offset)
        guard bytes.count == count else { throw SystemError("read the file", number: EIO) }
        return bytes
    }

    /// Writes bytes inside of the part.
    ///
    /// - Throws: ``SystemError``.
    func write(_ bytes: Bytes, at offset: Int) throws(SystemError) {
        precondition(offset + bytes.count <= size, "a chunk is written inside of its part")
        try file.write(bytes, at: start + offset)
    }

    /// Waits until the written bytes are on the disk.
    ///
    /// - Throws: ``SystemError``.
    public func synchronize() throws(SystemError) {
        try file.synchronize()
    }
}
