import Glibc

/// A lock on a folder that one process holds (flock(2)). It leaves nothing behind, and ends with the process.
public struct FolderLock: ~Copyable, Sendable {
    private let folder: FileDescriptor

    /// Takes the lock; nil if another process has it.
    public init?(_ path: String) throws(SystemError) {
        let folder = try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY, "open the folder")
        guard flock(folder.number, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw .last("take the lock") }
            return nil
        }
        self.folder = folder
    }
}
