import Store
import SystemIO

/// A store that another user made, or could change.
///
/// Such a store is not opened: that user could plant links, exchange databases, or name a socket of theirs in the lock.
public enum StoreExposure: Error, Hashable, Sendable {
    /// The folder or file belongs to a user who is neither this one nor root.
    case foreign(path: String)
    /// Users other than the owner may write to the folder or file.
    case writable(path: String)
    /// The lock is a symbolic link, or anything else but a regular file.
    case notALock(path: String)
}

extension StoreFolder {
    /// Checks the owner and the mode of the folder and of what is in it. Links are followed, except for the lock, whose
    /// contents are replaced. A part that does not exist is not checked.
    public func checkAccess() throws(StoreExposure) {
        let logs = databases.flatMap { [$0 + "-wal", $0 + "-journal"] }
        for path in [path] + databases + logs {
            guard let status = try? Files.status(path) else { continue }
            try StoreFolder.check(status, path)
        }
        guard let status = try? Files.status(lock, followsLink: false) else { return }
        guard status.isRegular else { throw .notALock(path: lock) }
        try StoreFolder.check(status, lock)
    }

    private static func check(_ status: FileStatus, _ path: String) throws(StoreExposure) {
        guard status.isOwn || status.isOwnedByRoot else { throw .foreign(path: path) }
        guard !status.isWritableByOthers else { throw .writable(path: path) }
    }
}

extension StoreFolder {
    /// Fails for a folder with databases of another program, which are to stay as they are.
    ///
    /// - Throws: ``ChatError/database(_:)`` with ``DatabaseProblem/foreign``.
    public func checkOwn() throws(ChatError) {
        guard Files.exists(chatDatabase) else { return }
        do throws(StoreError) {
            _ = try Database(chatDatabase, .readOnly).pendingMigrations(ChatSchema.migrations)
        } catch {
            // Encrypted, damaged, or of another version: a store, as far as one can tell without its key.
            if error.code == .otherSchema { throw .database(.foreign) }
        }
    }
}
