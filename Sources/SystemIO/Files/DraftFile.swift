import CLinux
import Glibc

/// A new file that nobody sees until it is complete, readable by its owner only.
///
/// It has no name, where the file system can do that, so nothing is left of it however the process ends before. Elsewhere it has
/// a name of its own, which is removed at the end of its life.
public struct DraftFile: ~Copyable {
    private let file: FileDescriptor
    private let path: String
    /// The name that it has meanwhile, if the file system demands one.
    private let name: String?

    /// Begins the file that is going to be at `path`, in the same folder.
    public init(for path: String) throws(SystemError) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
        let opened: FileDescriptor, name: String?
        do throws(SystemError) {
            opened = try FileDescriptor(opening: folder, TACIT_O_TMPFILE | O_RDWR, "create the file")
            name = nil
        } catch {
            // EISDIR is how old systems say that they do not know the flag (open(2)).
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

    public borrowing func write(_ bytes: [UInt8]) throws(SystemError) {
        try file.write(bytes, "write the file")
    }

    /// Gives the file its name, when all of it is on the disk, and waits until the name is there too.
    ///
    /// - Parameter replaces: Whether a file of that name may be replaced. Otherwise its error is that there is one.
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

    /// Takes the place of the file that has the name. Linux cannot do that to a file without a name: whoever is killed in
    /// between leaves this one, whole, below another name.
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

    /// Gives the file a name that no other has.
    private borrowing func link(as other: String) throws(SystemError) -> String {
        // Without privileges a file without a name is reached through its descriptor only (open(2), O_TMPFILE).
        let source = name ?? "/proc/self/fd/\(file.number)"
        try systemCall("create the file") { unsafe linkat(AT_FDCWD, source, AT_FDCWD, other, AT_SYMLINK_FOLLOW) }
        return other
    }

    private static func temporaryName(for path: String) -> String {
        "\(path).\(ProcessEnvironment.processID).part"
    }
}
