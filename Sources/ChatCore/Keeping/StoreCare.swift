import Store
import SystemIO

/// Copies of a store, and stores without holes.
public enum StoreCare {
    /// Copies both databases, as they are at one moment, into a folder. Others may use the store meanwhile.
    ///
    /// The copies are a store: encrypted with the same key, and opened by the same passphrase or key file. They get their
    /// names when both are whole and on the disk.
    ///
    /// - Parameters:
    ///   - target: The folder, which must be there and hold no store.
    ///   - progress: Called from time to time with what is being done.
    /// - Returns: The size of the copies in bytes.
    public static func copy(
        _ folder: StoreFolder, key: OpenedKey?, to target: StoreFolder, progress: (String) -> Void = { _ in }
    ) throws(ChatError) -> Int {
        do {
            let drafts = target.databases.map { $0 + ".new" }
            do {
                for draft in drafts { try? Files.remove(draft) }
                try StoreSnapshot.copy(folder, key, to: drafts) { number, done, all in
                    progress("\(done) of \(all) pages of database \(number) of 2")
                }
                // The chat database comes last: without it there is no store.
                for (draft, path) in zip(drafts, target.databases) { try Files.move(draft, to: path) }
            } catch {
                for draft in drafts { for suffix in ["", "-wal", "-shm"] { try? Files.remove(draft + suffix) } }
                throw error
            }
            return try target.databases.map { try Files.status($0).size }.reduce(0, +)
        } catch {
            throw ChatError(error)
        }
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
