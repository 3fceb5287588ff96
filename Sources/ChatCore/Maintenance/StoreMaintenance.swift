public import ByteCoding
import CryptoCore
import Store
public import SystemIO

/// Copies of a store, and stores without holes.
public enum StoreMaintenance {
    /// Copies both databases, as they are at one moment, into a folder. Others may use the store meanwhile.
    ///
    /// The copies are a store: encrypted with the same key, and opened by the same passphrase or key file. It is frozen, with
    /// a mark that it is a backup: if it went on beside the original, each message would reach one of them only. The copies get
    /// their names when both are whole and on the disk.
    ///
    /// - Parameters:
    ///   - target: The folder, which must be there and hold no store.
    ///   - progress: Called from time to time with what is being done.
    public static func copy(
        _ folder: StoreFolder, key: OpenedKey?, to target: StoreFolder,
        now: Timestamp = Timestamp(milliseconds: SystemClock.milliseconds()), progress: (String) -> Void = { _ in }
    ) throws(ChatError) -> Copy {
        do {
            let drafts = target.databases.map { $0 + ".new" }
            let isFrozen: Bool
            do {
                for draft in drafts { try? Files.remove(draft) }
                try StoreSnapshot.copy(folder, key, to: drafts) { number, done, all in
                    progress("\(done) of \(all) pages of database \(number) of 2")
                }
                isFrozen = try freeze(agent: drafts[0], chat: drafts[1], key, now)
                // The chat database comes last: without it there is no store.
                for (draft, path) in zip(drafts, target.databases) { try Files.move(draft, to: path) }
            } catch {
                for draft in drafts { for suffix in ["", "-wal", "-shm"] { try? Files.remove(draft + suffix) } }
                throw error
            }
            return Copy(
                size: try target.databases.map { try Files.status($0).size }.reduce(0, +), isFrozen: isFrozen)
        } catch {
            throw ChatError(error)
        }
    }

    /// What became of a copy.
    public struct Copy: Hashable, Sendable {
        /// The size of both databases in bytes.
        public let size: Int
        /// True unless the store is of a version that knows no frozen ones.
        public let isFrozen: Bool
    }

    /// Marks a copy as a backup, and waits until that is on the disk.
    ///
    /// - Returns: False if the store is of a version that knows no frozen ones.
    static func freeze(agent: String, chat: String, _ key: OpenedKey?, _ now: Timestamp) throws -> Bool {
        // Who may write leaves no files of SQLite behind.
        let agent = try Database(agent, .readWrite, key: key?.key)
        let chat = try Database(chat, .readWrite, key: key?.key)
        let id = SystemRandom().bytes(ExportMark.idSize)
        let isFrozen = try ChatStore.markBackup(chat, id, steps: try agent.steps(), at: now)
        try chat.truncateLog()
        return isFrozen
    }

    /// Makes both databases as small as what is in them. The caller holds the ``StoreLock``.
    ///
    /// - Returns: The size of both in bytes, before and after.
    public static func compact(
        _ folder: StoreFolder, key: OpenedKey?, progress: (String) -> Void = { _ in }
    ) throws(ChatError) -> (before: Int, after: Int) {
        do {
            let before = try size(of: folder)
            for (index, path) in folder.databases.enumerated() where Files.exists(path) {
                progress("compacting database \(index + 1) of 2")
                let database = try Database(path, .readWrite, key: key?.key)
                _ = try database.takenSteps()
                try database.compact()
            }
            return (before, try size(of: folder))
        } catch {
            throw ChatError(error)
        }
    }

    private static func size(of folder: StoreFolder) throws -> Int {
        try folder.databases.flatMap { [$0, $0 + "-wal"] }.filter(Files.exists)
            .map { try Files.status($0).size }.reduce(0, +)
    }
}
