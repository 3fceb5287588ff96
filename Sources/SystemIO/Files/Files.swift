import CLinux
import Glibc

/// Whole files and folders, with the permissions that private data needs.
public enum Files {
    /// Creates a folder, and those above it, readable by its owner only. An existing folder stays as it is.
    public static func createFolder(_ path: String) throws(SystemError) {
        if isFolder(path) { return }
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            try createFolder(String(path[..<slash]))
        }
        guard unsafe mkdir(path, 0o700) != 0 else { return }
        guard errno == EEXIST, isFolder(path) else { throw .last("create the folder") }
    }

    public static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }

    public static func isFolder(_ path: String) -> Bool {
        (try? status(path))?.isFolder ?? false
    }

    /// What the system knows about a file.
    ///
    /// - Parameter followsLink: Whether that is about the file that a link leads to, or the link.
    public static func status(_ path: String, followsLink: Bool = true) throws(SystemError) -> FileStatus {
        var status = Glibc.stat()
        try systemCall("look at the file") { unsafe followsLink ? stat(path, &status) : lstat(path, &status) }
        return FileStatus(status)
    }

    /// The path of what is at `path`, without links on the way (see realpath(3)); nil if nothing is there.
    public static func resolved(_ path: String) -> String? {
        guard let text = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }

    /// The contents of a file of at most `limit` bytes.
    public static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
        try FileDescriptor(opening: path, O_RDONLY).readAll(limit: limit, "read the file")
    }

    /// Lends the contents of a file of at most `limit` bytes to `body`, and wipes the memory afterwards. For secrets.
    public static func withContents<Result>(
        _ path: String, limit: Int, _ body: (RawSpan) -> Result
    ) throws(SystemError) -> Result {
        try FileDescriptor(opening: path, O_RDONLY).withContents(limit: limit, "read the file", body)
    }

    /// Writes a file that must not exist yet, readable by its owner only, and waits until it is on the disk.
    public static func create(_ path: String, _ bytes: [UInt8]) throws(SystemError) {
        try create(path, bytes, durably: true)
    }

    private static func create(
        _ path: String, _ bytes: [UInt8], durably: Bool, isPublic: Bool = false
    ) throws(SystemError) {
        let file = try FileDescriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL, "create the file")
        // SECURITY: not by its name, which somebody else may have made a link meanwhile.
        if isPublic { try systemCall("set the mode of the file") { fchmod(file.number, 0o644) } }
        try file.write(bytes, "write the file")
        if durably { try file.synchronize() }
    }

    /// Replaces a file by new contents so that a reader, or a crash, sees the old or the new and nothing between.
    ///
    /// - Parameter isPublic: True for a file that every user may read.
    /// - Parameter durably: Whether to wait for the disk. Otherwise the file may be old, or empty, after a loss of power.
    public static func replace(_ path: String, _ bytes: [UInt8], durably: Bool = true, isPublic: Bool = false)
        throws(SystemError)
    {
        let draft = path + ".new"
        _ = unsafe unlink(draft)
        try create(draft, bytes, durably: durably, isPublic: isPublic)
        try systemCall("replace the file") { unsafe Glibc.rename(draft, path) }
        if durably { try synchronizeFolder(of: path) }
    }

    /// Gives a file another name in the same file system, whose file it replaces, and waits until that is on the disk.
    public static func move(_ path: String, to other: String) throws(SystemError) {
        try systemCall("move the file") { unsafe Glibc.rename(path, other) }
        try synchronizeFolder(of: other)
    }

    /// Gives a file or a folder another name in the same file system, without waiting for the disk.
    public static func rename(_ path: String, to other: String) throws(SystemError) {
        try systemCall("move the file") { unsafe Glibc.rename(path, other) }
    }

    /// Waits until the entries of the folder that holds `path` are on the disk.
    public static func synchronizeFolder(of path: String) throws(SystemError) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        try FileDescriptor(opening: folder, O_RDONLY | O_DIRECTORY, "open the folder").synchronize()
    }

    public static func remove(_ path: String) throws(SystemError) {
        try systemCall("remove the file") { unsafe unlink(path) }
    }

    /// Removes a folder with everything in it, following no links.
    public static func removeTree(_ path: String) throws(SystemError) {
        for name in try names(in: path) {
            let inner = "\(path)/\(name)"
            var status = Glibc.stat()
            try systemCall("look at the file") { unsafe lstat(inner, &status) }
            if FileStatus(status).isFolder { try removeTree(inner) } else { try remove(inner) }
        }
        try systemCall("remove the folder") { unsafe rmdir(path) }
    }

    /// Removes a folder, unless there is something in it. It need not exist.
    public static func removeFolderIfEmpty(_ path: String) throws(SystemError) {
        guard unsafe rmdir(path) != 0, errno != ENOENT, errno != ENOTEMPTY, errno != EEXIST else { return }
        throw .last("remove the folder")
    }

    /// Waits until everything in the file system of `path` is on the disk (syncfs(2)): for many files at once.
    public static func synchronizeAll(at path: String) throws(SystemError) {
        let folder = try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY, "open the folder")
        try systemCall("write to the disk") { syncfs(folder.number) }
    }

    /// How many bytes this user can still write in the file system of `path`.
    public static func freeSpace(at path: String) throws(SystemError) -> Int {
        var status = statvfs()
        try systemCall("look at the disk") { unsafe statvfs(path, &status) }
        let (bytes, isTooLarge) = Int(clamping: status.f_bavail).multipliedReportingOverflow(
            by: Int(clamping: status.f_frsize))
        return isTooLarge ? .max : bytes
    }

    /// True if another file can be made in the file system of `path`. Some file systems do not count files: there it is true.
    public static func hasRoomForFiles(at path: String) throws(SystemError) -> Bool {
        var status = statvfs()
        try systemCall("look at the disk") { unsafe statvfs(path, &status) }
        return status.f_files == 0 || status.f_favail > 0
    }

    /// The names in a folder, sorted, without `.` and `..`.
    ///
    /// - Throws: ``SystemError`` also if the disk fails halfway: a folder that cannot be read is not an empty one.
    public static func names(in path: String) throws(SystemError) -> [String] {
        guard let folder = unsafe opendir(path) else { throw .last("read the folder") }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while true {
            // The end and an error look alike but for errno.
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

    /// A new private folder inside of `parent` whose name starts with `prefix`.
    public static func createTemporaryFolder(in parent: String, prefix: String) throws(SystemError) -> String {
        var template = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
        let succeeded = unsafe mkdtemp(&template) != nil
        guard succeeded else { throw .last("create a temporary folder") }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// What the system knows about a file.
public struct FileStatus: Sendable {
    public let size: Int
    public let isFolder: Bool
    public let isRegular: Bool
    /// True if it is a symbolic link, which only a status that does not follow links says.
    public let isLink: Bool
    /// Whether it is the device that is always empty (null(4)).
    public let isNullDevice: Bool
    /// Whether it belongs to the user who runs the program.
    public let isOwn: Bool
    /// Whether it belongs to the administrator of the machine.
    public let isOwnedByRoot: Bool
    /// The permission bits.
    public let mode: UInt32
    private let identity: [UInt64]

    init(_ status: Glibc.stat) {
        size = Int(status.st_size)
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        isRegular = status.st_mode & S_IFMT == S_IFREG
        isLink = status.st_mode & S_IFMT == S_IFLNK
        isNullDevice = status.st_mode & S_IFMT == S_IFCHR && status.st_rdev == FileStatus.nullDevice
        isOwn = status.st_uid == geteuid()
        isOwnedByRoot = status.st_uid == 0
        mode = status.st_mode & 0o7777
        identity = [UInt64(status.st_dev), UInt64(status.st_ino)]
    }

    /// Its numbers are 1 and 3 on every Linux.
    private static let nullDevice: UInt = 1 << 8 | 3

    /// What tells the file from others in its file system.
    public var inode: UInt64 { identity[1] }

    /// Whether both are in one file system.
    public func isSameDisk(as other: FileStatus) -> Bool { identity[0] == other.identity[0] }

    /// Whether both are of one file, whatever its names are.
    public func isSameFile(as other: FileStatus) -> Bool { identity == other.identity }

    /// Whether others than the owner may change it.
    public var isWritableByOthers: Bool { mode & 0o022 != 0 }

    /// Whether its owner may run it.
    public var isExecutable: Bool { mode & 0o100 != 0 }

    /// Whether others than the owner may read or change it.
    public var isOpenToOthers: Bool { mode & 0o077 != 0 }
}
