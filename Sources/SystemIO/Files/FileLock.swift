import Glibc

/// A lock on a file that one process holds (flock(2)). It ends with the process, so there are no stale locks.
///
/// The file contains a note of the holder, for other processes that find the lock taken.
public struct FileLock: ~Copyable, Sendable {
    private let file: FileDescriptor

    /// The reason why a lock was not taken.
    public enum Failure: Error, Hashable, Sendable {
        /// Another process holds the lock. The value is its note, or empty if the note is unreadable.
        case held(note: [UInt8])
        /// A system call failed.
        case system(SystemError)
    }

    /// The number of attempts at a lock without a note, and the pause between them: a tenth of a second in all.
    private static let attempts = 20
    private static let pause = Duration.milliseconds(5)
    /// The longest note in bytes.
    private static let noteLimit = 4096

    /// Takes the lock. The file is created if needed; its folder must exist.
    ///
    /// - Throws: ``Failure``.
    public init(_ path: String, note: [UInt8]) throws(Failure) {
        var attempt = 1, taken: FileDescriptor?
        while taken == nil {
            do throws(Failure) {
                taken = try FileLock.take(path, note)
            } catch {
                // A holder without a note only tests the lock, is about to write a note, or is a child before its exec.
                guard error == .held(note: []), attempt < FileLock.attempts else { throw error }
                attempt += 1
                SystemClock.pause(FileLock.pause)
            }
        }
        guard let file = taken.take() else { preconditionFailure("the loop ends with a lock") }
        self.file = file
    }

    private static func take(_ path: String, _ note: [UInt8]) throws(Failure) -> FileDescriptor {
        do throws(SystemError) {
            let file = try open(path, O_RDWR | O_CREAT)
            guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else { throw .last("take the lock") }
            try checkExcludes(path)
            try systemCall("write the lock") { ftruncate(file.number, 0) }
            try file.write(note, "write the lock")
            return file
        } catch {
            guard error.number == EWOULDBLOCK else { throw .system(error) }
            throw .held(note: (try? currentNote(at: path)) ?? [])
        }
    }

    /// Opens the file of a lock.
    ///
    /// SECURITY: the note replaces the content of the file, so a link planted at its path must not lead to another
    /// file.
    ///
    /// - Throws: A ``SystemError`` with ELOOP for a symbolic link, with EISDIR for anything but a regular file.
    private static func open(_ path: String, _ flags: Int32) throws(SystemError) -> FileDescriptor {
        let flags = flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
        let file = try FileDescriptor(opening: path, flags, "open the lock")
        guard try file.status().isRegular else { throw SystemError("open the lock", number: SystemError.notAFile) }
        return file
    }

    private static func currentNote(at path: String) throws(SystemError) -> [UInt8] {
        try open(path, O_RDONLY).readAll(limit: noteLimit, "read the lock")
    }

    /// Checks that the lock excludes others. Some file systems grant every lock, and some network file systems hide
    /// locks from other machines.
    ///
    /// - Throws: A ``SystemError`` with ENOTSUP.
    private static func checkExcludes(_ path: String) throws(SystemError) {
        let other = try open(path, O_RDWR)
        let isRefused = flock(other.number, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
        guard isRefused, try !FileSystem(of: other).isRemote else {
            throw SystemError("take the lock", number: ENOTSUP)
        }
    }

    /// Replaces the note of the holder. A concurrent reader may find half of a note and retries.
    ///
    /// - Throws: ``SystemError``.
    public borrowing func write(note: [UInt8]) throws(SystemError) {
        try systemCall("write the lock") { unsafe pwrite(file.number, note, note.count, 0) }
        try systemCall("write the lock") { ftruncate(file.number, off_t(note.count)) }
    }

    deinit {
        // The note must not outlive the lock: it would name a former holder.
        _ = ftruncate(file.number, 0)
    }

    /// Returns the note of the process that holds the lock, or nil if no process does.
    ///
    /// An unreadable lock counts as free: taking it fails with the cause.
    public static func holder(of path: String) -> [UInt8]? {
        // Only a note justifies testing the lock: the test holds the lock for a moment, and other processes would find
        // it taken.
        guard let note = try? currentNote(at: path), !note.isEmpty, let file = try? open(path, O_RDONLY) else {
            return nil
        }
        return flock(file.number, LOCK_SH | LOCK_NB) != 0 ? note : nil
    }

    /// Returns true if the system lists the process as the holder of the lock (proc_locks(5)). A note may be older than
    /// the process with its number.
    public static func isHeld(_ path: String, by pid: Int64) -> Bool {
        guard let inode = try? Files.status(path, followsLink: false).inode,
            let table = try? Files.read("/proc/locks", limit: 1 << 20)
        else { return false }
        return String(decoding: table, as: UTF8.self).split(separator: "\n").contains { line in
            // 1: FLOCK  ADVISORY  WRITE 4121 fe:01:271234 0 EOF. Some file systems report another device than stat(2).
            let words = line.split(separator: " ")
            guard words.count >= 6, words[1] == "FLOCK", words[3] == "WRITE", words[4] == "\(pid)" else { return false }
            return words[5].hasSuffix(":\(inode)")
        }
    }
}

/// A lock on a folder that one process holds (flock(2)). It creates no file and ends with the process.
public struct FolderLock: ~Copyable, Sendable {
    private let folder: FileDescriptor

    /// Takes the lock, or returns nil if another process holds it.
    ///
    /// - Throws: ``SystemError``.
    public init?(_ path: String) throws(SystemError) {
        let folder = try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY, "open the folder")
        guard flock(folder.number, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw .last("take the lock") }
            return nil
        }
        self.folder = folder
    }
}
