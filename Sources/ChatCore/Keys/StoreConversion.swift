import CryptoCore
import PageCipher
import Store
import SystemIO

/// Makes an encrypted store of a plain one, or the other way round.
///
/// Both databases are written anew beside the old ones. When both are whole and on the disk, a note says so, and only then
/// they take the places of the old ones, one after the other; the note goes last. Whoever opens the store after a crash
/// finds the note and goes on, or finds none, and what was not finished is thrown away.
public enum StoreConversion {
    /// What a database is called that is going to replace the one of the same name.
    static func draft(of database: String) -> String { database + ".converted" }

    /// Encrypts a plain store with a new key. The caller holds the ``StoreLock``.
    ///
    /// - Parameter onStep: Called before each database, with the number of databases done and of all.
    public static func encrypt(
        _ folder: StoreFolder, for given: GivenKey, onStep: (Int, Int) -> Void = { _, _ in }
    ) throws(ChatError) {
        do {
            let (key, slots) = try KeySlots.fresh(for: given.credential)
            try convert(folder, from: nil, to: (key, slots), onStep)
        } catch {
            throw ChatError(error)
        }
    }

    /// Writes an encrypted store in clear. The caller holds the ``StoreLock``.
    public static func decrypt(
        _ folder: StoreFolder, with opened: OpenedKey, onStep: (Int, Int) -> Void = { _, _ in }
    ) throws(ChatError) {
        do { try convert(folder, from: opened.key, to: nil, onStep) } catch { throw ChatError(error) }
    }

    private static func convert(
        _ folder: StoreFolder, from key: StoreKey?, to target: (key: StoreKey, slots: KeySlots)?,
        _ onStep: (Int, Int) -> Void
    ) throws {
        let paths = folder.databases.filter(Files.exists)
        do {
            for (index, path) in paths.enumerated() {
                onStep(index, paths.count)
                let database = try Database(path, .readWrite, key: key)
                _ = try database.takenSteps()
                // Nothing may stay in the log: it will not be there any more.
                try database.truncateLog()
                if let target {
                    try database.copy(to: draft(of: path), key: target.key, slots: target.slots)
                } else {
                    try database.copyPlain(to: draft(of: path))
                }
                // It gets its write-ahead log now, while nobody depends on it.
                _ = try Database(draft(of: path), .readWrite, key: target?.key)
            }
            try Files.create(folder.conversionNote, Array("the databases that end with .converted are whole\n".utf8))
            try Files.synchronizeFolder(of: folder.conversionNote)
        } catch {
            // Unless the note is there, the drafts are nothing.
            if !Files.exists(folder.conversionNote) { removeDrafts(folder) }
            throw error
        }
        _ = try finish(folder)
    }

    /// Finishes what was cut off, or removes what is left of it; returns whether the store was changed.
    static func finish(_ folder: StoreFolder) throws -> Bool {
        guard Files.exists(folder.conversionNote) else {
            removeDrafts(folder)
            return false
        }
        // Copies from before are in clear, or open with a key that is no more.
        try folder.removeBackups()
        for path in folder.databases where Files.exists(draft(of: path)) {
            // The log of the old database is empty. Whoever still reads the old one keeps it, under no name.
            for suffix in ["-wal", "-shm"] where Files.exists(path + suffix) { try Files.remove(path + suffix) }
            try Files.move(draft(of: path), to: path)
        }
        try Files.remove(folder.conversionNote)
        try Files.synchronizeFolder(of: folder.conversionNote)
        return true
    }

    private static func removeDrafts(_ folder: StoreFolder) {
        for path in folder.databases {
            for suffix in ["", "-wal", "-shm", "-journal"] { try? Files.remove(draft(of: path) + suffix) }
        }
    }
}
