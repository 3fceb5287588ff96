import CLinux
import Glibc

/// A new file that is invisible until it is complete, readable by its owner only.
///
/// If the file system supports it, the file has no name until then, and disappears with the process. Elsewhere it has a
/// temporary name, which is removed at the end of its life.
public struct DraftFile: ~Copyable {
    private let file: FileDescriptor
    private let path: String
    /// The temporary name, if the file system requires one.
    private let name: String?

    /// Creates the draft of the file at `path`, in the same folder.
    ///
    /// - Throws: ``SystemError``.
    public init(for path: String) throws(SystemError) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
        let opened: FileDescriptor, name: String?
        do throws(SystemError) {
            opened = try FileDescriptor(opening: folder, TACIT_O_TMPFILE | O_RDWR, "create the file")
            name = nil
        } catch {
            // Old systems report EISDIR for an unknown flag (open(2)).
            guard error.number == EOPNOTSUPP || error.number == EISDIR || error.number == EINVAL else { throw error }
            let own = DraftFile.temporaryName(for: path)
            opened = try FileDescriptor(opening: own, O_RDWR | O_CREAT | O_EXCL, "create the file")
            name = own
        }
        self.file = opened
        self.path = path
        self.name = name
    }

    deinit {
        if let name { _ = unsafe unlink(name) }
    }

    /// Appends bytes to the draft.
    ///
    /// - Throws: ``SystemError``.
    public borrowing func write(_ bytes: [UInt8]) throws(SystemError) {
        try file.write(bytes, "write the file")
    }

    /// Gives the complete file its name, and waits until file and name are on the disk.
    ///
    /// - Parameter replaces: True to replace an existing file.
    /// - Throws: ``SystemError``, with ``SystemError/exists`` for an existing file if `replaces` is false.
    public consuming func publish(replaces: Bool) throws(SystemError) {
        try file.synchronize()
        do throws(SystemError) {
            _ = try link(as: path)
        } catch {
            guard replaces, error.number == EEXIST else { throw error }
            try replace()
        }
        try Files.synchronizeFolder(of: path)
    }

    /// Gives the complete file the first of some names that is free, in the folder of the draft, and waits until file and
    /// name are on the disk. Returns the name.
    ///
    /// - Throws: ``SystemError``, with ``SystemError/exists`` if all names are taken.
    public consuming func publish(asFirstFreeOf paths: [String]) throws(SystemError) -> String {
        try file.synchronize()
        for path in paths {
            do throws(SystemError) {
                _ = try link(as: path)
                try Files.synchronizeFolder(of: path)
                return path
            } catch {
                guard error.number == EEXIST else { throw error }
            }
        }
        throw SystemError("create the file", number: EEXIST)
    }

    /// Returns true if the file at `path` has the bytes of the draft. False for a file that cannot be read.
    ///
    /// - Throws: ``SystemError`` if the draft cannot be read.
    public borrowing func isEqual(to path: String) throws(SystemError) -> Bool {
        guard let other = try? FileDescriptor(readingAtOnce: path), let status = try? other.status() else {
            return false
        }
        let size = try file.size()
        guard status.isRegular, status.size == size else { return false }
        var position = 0
        while position < size {
            let part = try file.read(min(1 << 18, size - position), at: position)
            guard !part.isEmpty, (try? other.read(part.count, at: position)) == part else { return false }
            position += part.count
        }
        return true
    }

    /// Replaces the file with the name. Linux cannot do that with a file without a name: a process killed in between
    /// leaves the complete file under another name.
    private borrowing func replace() throws(SystemError) {
        let source: String
        if let name { source = name } else { source = try link(as: DraftFile.temporaryName(for: path)) }
        do throws(SystemError) {
            try systemCall("replace the file") { unsafe rename(source, path) }
        } catch {
            _ = unsafe unlink(source)
            throw error
        }
    }

    /// Gives the file a unique name.
    private borrowing func link(as other: String) throws(SystemError) -> String {
        // Without privileges a file without a name is reached only through its descriptor (open(2), O_TMPFILE).
        let source = name ?? "/proc/self/fd/\(file.number)"
        try systemCall("create the file") { unsafe linkat(AT_FDCWD, source, AT_FDCWD, other, AT_SYMLINK_FOLLOW) }
        return other
    }

    private static func temporaryName(for path: String) -> String {
        "\(path).\(ProcessEnvironment.processID).part"
    }
}
