package import ByteCoding
import CryptoCore
import SystemIO
public import XFTPProtocol

/// A file of the user: plain, or encrypted on this device (chat.md 5.5) as a ``SecretBoxStream`` with its tag at the end.
public struct LocalFile: Sendable {
    /// The path.
    public let path: String
    /// The key of the encryption on this device; nil for a plain file.
    public let key: FileEncryptionKey?

    /// Creates a reference to a file.
    public init(path: String, key: FileEncryptionKey? = nil) {
        self.path = path
        self.key = key
    }

    /// Returns the size of the content in bytes, without the tag of the local encryption. Blocks for the disk.
    ///
    /// - Throws: ``FileFailure/source(_:)`` if it is no readable file, ``FileFailure/sourceSize``.
    public func contentSize() throws(FileFailure) -> Int64 {
        let status: FileStatus
        do throws(SystemError) {
            status = try Files.status(path)
        } catch {
            throw .source(error)
        }
        // A folder, a device or a pipe has no size.
        guard status.isRegular else { throw .sourceSize }
        let size = Int64(status.size) - (key == nil ? 0 : Int64(SecretBox.tagSize))
        guard size >= 0, size <= XFTP.hardFileLimit else { throw .sourceSize }
        return size
    }
}

extension LocalFile {
    /// Checks that a file can be written at the path, and creates its folder. Blocks for the disk. A full disk is no failure:
    /// transfers wait for room.
    ///
    /// - Throws: ``FileFailure/target(_:)``.
    package func checkTarget() throws(FileFailure) {
        try makeFolder()
        do throws(FileFailure) { _ = try LocalFileWriter(self) } catch {
            guard error.isFullDisk else { throw error }
        }
    }

    private func makeFolder() throws(FileFailure) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        do throws(SystemError) { try Files.createFolder(folder) } catch { throw .target(error) }
    }

    /// Writes a small file, which appears under its name, or the first free one with a number, when it is complete. Blocks for
    /// the disk.
    ///
    /// - Parameter digest: The SHA-512 of the content as it was announced; nil if it was not.
    /// - Returns: The path.
    /// - Throws: ``FileFailure``.
    package static func write(_ content: Bytes, to target: LocalFile, digest: Bytes?) throws(FileFailure) -> String {
        if let digest, !constantTimeEqual(SHA512.hash(content), digest) { throw .wrongFile(.content) }
        try target.makeFolder()
        var writer = try LocalFileWriter(target)
        try writer.write(content)
        return try writer.publish(mayBeThere: true)
    }
}

/// Reads the content of a local file from its start to its end. The methods block for the disk.
package struct LocalFileReader: ~Copyable {
    /// The number of bytes in memory at a time.
    private static let partSize = 256 << 10

    private let file: FileDescriptor
    /// The size of the content in bytes.
    package let size: Int64
    private var position: Int64 = 0
    private var stream: SecretBoxStream?

    package init(_ local: LocalFile) throws(FileFailure) {
        self.init(try LocalFileReader.open(local.path), size: try local.contentSize(), key: local.key)
    }

    private init(_ file: consuming FileDescriptor, size: Int64, key: FileEncryptionKey?) {
        self.file = file
        self.size = size
        stream = key.map { SecretBoxStream(nonce: $0.nonce, key: $0.key) }
    }

    private static func open(_ path: String) throws(FileFailure) -> FileDescriptor {
        do throws(SystemError) {
            return try FileDescriptor(reading: path)
        } catch {
            throw .source(error)
        }
    }

    /// Returns the next part of the content; empty at its end.
    package mutating func next() throws(FileFailure) -> Bytes {
        let count = Int(min(Int64(LocalFileReader.partSize), size - position))
        let part = try read(count)
        guard part.count == count else { throw .sourceSize }
        position += Int64(count)
        return stream == nil ? part : stream?.decrypt(part) ?? []
    }

    /// Checks that the file did not grow, and the tag of the local encryption.
    package consuming func finish() throws(FileFailure) {
        let end = try read(SecretBox.tagSize + 1)
        guard let stream = stream.take() else {
            guard end.isEmpty else { throw .sourceSize }
            return
        }
        guard constantTimeEqual(stream.tag(), end) else { throw .wrongFile(.authentication) }
    }

    private borrowing func read(_ count: Int) throws(FileFailure) -> Bytes {
        do throws(SystemError) {
            return try file.read(count, at: Int(position))
        } catch {
            throw .source(error)
        }
    }
}

/// Writes the content of a local file, which appears under its name when it is complete.
struct LocalFileWriter: ~Copyable {
    private let draft: DraftFile
    private let path: String
    private var stream: SecretBoxStream?

    init(_ local: LocalFile) throws(FileFailure) {
        self.init(try LocalFileWriter.draft(local.path), local)
    }

    private init(_ draft: consuming DraftFile, _ local: LocalFile) {
        self.draft = draft
        path = local.path
        stream = local.key.map { SecretBoxStream(nonce: $0.nonce, key: $0.key) }
    }

    private static func draft(_ path: String) throws(FileFailure) -> DraftFile {
        do throws(SystemError) {
            return try DraftFile(for: path)
        } catch {
            throw .target(error)
        }
    }

    mutating func write(_ part: Bytes) throws(FileFailure) {
        try append(stream == nil ? part : stream?.encrypt(part) ?? [])
    }

    /// Gives the complete file the first free name: its own, or one with `_1`, `_2`, ... before the extension. Returns
    /// the path.
    ///
    /// - Parameter mayBeThere: True if an interrupted call may have given the file its name already.
    consuming func publish(mayBeThere: Bool) throws(FileFailure) -> String {
        if let stream = stream.take() { try append(stream.tag()) }
        let names = LocalFileWriter.names(for: path)
        do throws(SystemError) {
            if mayBeThere {
                for name in names {
                    guard Files.exists(name) else { break }
                    if try draft.isEqual(to: name) { return name }
                }
            }
            return try draft.publish(asFirstFreeOf: names)
        } catch {
            throw .target(error)
        }
    }

    private borrowing func append(_ bytes: Bytes) throws(FileFailure) {
        do throws(SystemError) {
            try draft.write(bytes)
        } catch {
            throw .target(error)
        }
    }

    /// The names to try (chat.md 5.3).
    static func names(for path: String) -> [String] {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let folder = path.dropLast(name.count)
        // A leading dot begins no extension.
        let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
        return [path] + (1...999).map { "\(folder)\(name[..<dot])_\($0)\(name[dot...])" }
    }
}
