import CLinux
import Glibc

/// Operations on whole files and folders, with the permissions of private data. All of them block for the disk.
public enum Files {
    /// Creates a folder and its parents, readable by their owner only. An existing folder stays unchanged.
    ///
    /// - Throws: ``SystemError``.
    public static func createFolder(_ path: String) throws(SystemError) {
        if isFolder(path) { return }
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            try createFolder(String(path[..<slash]))
        }
        guard unsafe mkdir(path, 0o700) != 0 else { return }
        guard errno == EEXIST, isFolder(path) else { throw .last("create the folder") }
    }

    /// Returns true if there is a file or folder at `path`.
    public static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }

    /// Returns true if there is a folder at `path`.
    public static func isFolder(_ path: String) -> Bool {
        (try? status(path))?.isFolder ?? false
    }

    /// Returns the status of a file (stat(2)).
    ///
    /// - Parameter followsLink: True for the target of a symbolic link, false for the link itself.
    /// - Throws: ``SystemError``.
    public static func status(_ path: String, followsLink: Bool = true) throws(SystemError) -> FileStatus {
        var status = Glibc.stat()
        try systemCall("look at the file") { unsafe followsLink ? stat(path, &status) : lstat(path, &status) }
        return FileStatus(status)
    }

    /// Returns the path without symbolic links (realpath(3)), or nil if the path does not exist.
    public static func resolved(_ path: String) -> String? {
        guard let text = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }

    /// Returns the content of a file.
    ///
    /// - Throws: ``SystemError``, with ``SystemError/tooLong`` above `limit` bytes.
    public static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
        try FileDescriptor(opening: path, O_RDONLY).readAll(limit: limit, "read the file")
    }

    /// Lends the content of a file to `body` and wipes the memory afterwards. For secrets.
    ///
    /// - Throws: ``SystemError``, with ``SystemError/tooLong`` above `limit` bytes.
    public static func withContents<Result>(
        _ path: String, limit: Int, _ body: (RawSpan) -> Result
    ) throws(SystemError) -> Result {
        try FileDescriptor(opening: path, O_RDONLY).withContents(limit: limit, "read the file", body)
    }

    /// Creates a file, readable by its owner only, and waits until it is on the disk.
    ///
    /// - Throws: ``SystemError``, with ``SystemError/exists`` for an existing file.
    public static func create(_ path: String, _ bytes: [UInt8]) throws(SystemError) {
        try create(path, bytes, durably: true)
    }

    private static func create(
        _ path: String, _ bytes: [UInt8], durably: Bool, isPublic: Bool = false
    ) throws(SystemError) {
        let file = try FileDescriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL, "create the file")
        // SECURITY: not by name, because another user may have replaced the file by a link.
        if isPublic { try systemCall("set the mode of the file") { fchmod(file.number, 0o644) } }
        try file.write(bytes, "write the file")
        if durably { try file.synchronize() }
    }

    /// Replaces the content of a file atomically: a reader, or a crash, sees the old or the new content.
    ///
    /// - Parameter isPublic: True for a file that every user may read.
    /// - Parameter durably: True to wait for the disk. Otherwise the file may be old or empty after a power loss.
    /// - Throws: ``SystemError``.
    public static func replace(_ path: String, _ bytes: [UInt8], durably: Bool = true, isPublic: Bool = false)
        throws(SystemError)
    {
        let draft = path + ".new"
        _ = unsafe unlink(draft)
        try create(draft, bytes, durably: durably, isPublic: isPublic)
        try systemCall("replace the file") { unsafe Glibc.rename(draft, path) }
        if durably { try synchronizeFolder(of: path) }
    }

    /// Renames a file within its file system, replacing an existing one, and waits until the change is on the disk.
    ///
    /// - Throws: ``SystemError``.
    public static func move(_ path: String, to other: String) throws(SystemError) {
        try systemCall("move the file") { unsafe Glibc.rename(path, other) }
        try synchronizeFolder(of: other)
    }

    /// Renames a file or folder within its file system, without waiting for the disk.
    ///
    /// - Throws: ``SystemError``.
    public static func rename(_ path: String, to other: String) throws(SystemError) {
        try systemCall("move the file") { unsafe Glibc.rename(path, other) }
    }

    /// Waits until the entries of the folder that contains `path` are on the disk.
    ///
    /// - Throws: ``SystemError``.
    public static func synchronizeFolder(of path: String) throws(SystemError) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        try FileDescriptor(opening: folder, O_RDONLY | O_DIRECTORY, "open the folder").synchronize()
    }

    /// Removes a file.
    ///
    /// - Throws: ``SystemError``.
    public static func remove(_ path: String) throws(SystemError) {
        try systemCall("remove the file") { unsafe unlink(path) }
    }

    /// Removes a folder with its content, without following links.
    ///
    /// - Throws: ``SystemError``.
    public static func removeTree(_ path: String) throws(SystemError) {
        for name in try names(in: path) {
            let inner = "\(path)/\(name)"
            var status = Glibc.stat()
            try systemCall("look at the file") { unsafe lstat(inner, &status) }
            if FileStatus(status).isFolder { try removeTree(inner) } else { try remove(inner) }
        }
        try systemCall("remove the folder") { unsafe rmdir(path) }
    }

    /// Removes an empty folder. A folder with content stays; a missing one is no error.
    ///
    /// - Throws: ``SystemError``.
    public static func removeFolderIfEmpty(_ path: String) throws(SystemError) {
        guard unsafe rmdir(path) != 0, errno != ENOENT, errno != ENOTEMPTY, errno != EEXIST else { return }
        throw .last("remove the folder")
    }

    /// Waits until the whole file system of `path` is on the disk (syncfs(2)), for many files at once.
    ///
    /// - Throws: ``SystemError``.
    public static func synchronizeAll(at path: String) throws(SystemError) {
        let folder = try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY, "open the folder")
        try systemCall("write to the disk") { syncfs(folder.number) }
    }

    /// Returns the free space for this user in the file system of `path`, in bytes.
    ///
    /// - Throws: ``SystemError``.
    public static func freeSpace(at path: String) throws(SystemError) -> Int {
        var status = statvfs()
        try systemCall("look at the disk") { unsafe statvfs(path, &status) }
        let (bytes, isTooLarge) = Int(clamping: status.f_bavail).multipliedReportingOverflow(
            by: Int(clamping: status.f_frsize))
        return isTooLarge ? .max : bytes
    }

    /// Returns true if the file system of `path` has room for another file. True for file systems that do not count
    /// files.
    ///
    /// - Throws: ``SystemError``.
    public static func hasRoomForFiles(at path: String) throws(SystemError) -> Bool {
        var status = statvfs()
        try systemCall("look at the disk") { unsafe statvfs(path, &status) }
        return status.f_files == 0 || status.f_favail > 0
    }

    /// Returns the names in a folder, sorted, without `.` and `..`.
    ///
    /// - Throws: ``SystemError``, also if reading fails halfway: an unreadable folder is not an empty one.
    public static func names(in path: String) throws(SystemError) -> [String] {
        guard let folder = unsafe opendir(path) else { throw .last("read the folder") }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while true {
            // Only errno distinguishes the end from an error.
            errno = 0
            guard let entry = unsafe readdir(folder) else {
                guard errno == 0 else { throw .last("read the folder") }
                break
            }
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Creates a private folder in `parent` whose name starts with `prefix`, and returns its path.
    ///
    /// - Throws: ``SystemError``.
    public static func createTemporaryFolder(in parent: String, prefix: String) throws(SystemError) -> String {
        var template = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
        let succeeded = unsafe mkdtemp(&template) != nil
        guard succeeded else { throw .last("create a temporary folder") }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// The status of a file (stat(2)).
public struct FileStatus: Equatable, Sendable {
    /// The size in bytes.
    public let size: Int
    /// True if the file is a folder.
    public let isFolder: Bool
    /// True if the file is a regular file.
    public let isRegular: Bool
    /// True if the file is a symbolic link, only in a status that does not follow links.
    public let isLink: Bool
    /// True if the file is a Unix socket.
    public let isSocket: Bool
    /// True if the file is the null device (null(4)).
    public let isNullDevice: Bool
    /// True if the file belongs to the user of this process.
    public let isOwn: Bool
    /// True if the file belongs to root.
    public let isOwnedByRoot: Bool
    /// The permission bits.
    public let mode: UInt32
    private let identity: [UInt64]
    /// The time of the last change of content or status, in nanoseconds.
    private let changed: Int

    init(_ status: Glibc.stat) {
        size = Int(status.st_size)
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        isRegular = status.st_mode & S_IFMT == S_IFREG
        isLink = status.st_mode & S_IFMT == S_IFLNK
        isSocket = status.st_mode & S_IFMT == S_IFSOCK
        isNullDevice = status.st_mode & S_IFMT == S_IFCHR && status.st_rdev == FileStatus.nullDevice
        isOwn = status.st_uid == geteuid()
        isOwnedByRoot = status.st_uid == 0
        mode = status.st_mode & 0o7777
        identity = [UInt64(status.st_dev), UInt64(status.st_ino)]
        changed = status.st_ctim.tv_sec &* 1_000_000_000 &+ status.st_ctim.tv_nsec
    }

    /// The device numbers 1 and 3 on every Linux.
    private static let nullDevice: UInt = 1 << 8 | 3

    /// The inode number, unique in the file system.
    public var inode: UInt64 { identity[1] }

    /// Returns true if both files are in one file system.
    public func isSameDisk(as other: FileStatus) -> Bool { identity[0] == other.identity[0] }

    /// Returns true if both are the same file, under any name.
    public func isSameFile(as other: FileStatus) -> Bool { identity == other.identity }

    /// True if the file is writable by others than its owner.
    public var isWritableByOthers: Bool { mode & 0o022 != 0 }

    /// True if the file is executable by its owner.
    public var isExecutable: Bool { mode & 0o100 != 0 }

    /// True if the file is readable or writable by others than its owner.
    public var isOpenToOthers: Bool { mode & 0o077 != 0 }
}
