public import ByteCoding
import Store
public import SystemIO

/// A backup of a whole relay in one file, made while it runs: settings, certificates, keys, statistics, and a snapshot
/// of the databases with the chunks of files. The file is a tar archive; unpacked into an empty folder it is the relay.
///
/// SECURITY: it contains the keys of the relay, and the stored messages, which are encrypted for their recipients.
public struct RelayBackup: Hashable, Sendable {
    /// The size of the archive in bytes.
    public let size: Int
    /// The names of the files in the archive; `files` stands for all chunks of files.
    public let names: [String]

    /// Backs up the relay in a folder.
    ///
    /// - Parameter path: The new file, which must not exist yet. It is deleted if the backup fails.
    /// - Throws: ``RelayError``, or ``SystemError`` with ``SystemError/exists``.
    public static func make(
        of folder: String, at path: String, now: Timestamp = Timestamp(milliseconds: SystemClock.milliseconds())
    ) throws(RelayError) -> RelayBackup {
        // Only a relay with readable settings is worth a backup.
        _ = try RelayFolder.settings(in: folder)
        do {
            // The empty file reserves the name. After a crash its size shows that it is not a backup.
            try Files.create(path, [])
            do {
                return try copy(folder, to: path, now)
            } catch {
                // The original error is more useful than that of the deletion.
                try? Files.remove(path)
                throw error
            }
        } catch let error as SystemError {
            throw .system(error)
        } catch {
            throw .store(error as? StoreError ?? StoreError(.misuse))
        }
    }

    private static func copy(_ folder: String, to path: String, _ now: Timestamp) throws -> RelayBackup {
        let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let workshop = try Files.createTemporaryFolder(in: parent.isEmpty ? "/" : parent, prefix: ".tacit-backup-")
        let backup: RelayBackup
        do {
            backup = try fill(workshop, from: folder, now)
            try Files.move("\(workshop)/archive", to: path)
        } catch {
            try? Files.removeTree(workshop)
            throw error
        }
        // SECURITY: a copy of the keys must not remain unnoticed.
        try Files.removeTree(workshop)
        return backup
    }

    /// Appends the chunks of files, after their database: a chunk deleted meanwhile counts as not uploaded after a
    /// restoration, and one added meanwhile is removed.
    ///
    /// - Returns: True if there were any.
    private static func appendChunks(
        of folder: String, to archive: borrowing TapeArchive, _ now: Timestamp
    ) throws(SystemError) -> Bool {
        let chunks = RelayFolder.Name.chunks
        guard Files.exists("\(folder)/\(chunks)") else { return false }
        // A draft has another name.
        let names = try Files.names(in: "\(folder)/\(chunks)").filter { Int64($0) != nil }
        for name in names {
            do throws(SystemError) {
                try archive.append("\(folder)/\(chunks)/\(name)", as: "\(chunks)/\(name)", modified: now)
            } catch {
                guard error.condition == .missing else { throw error }
            }
        }
        return !names.isEmpty
    }

    /// Makes the archive in an empty folder.
    private static func fill(_ workshop: String, from folder: String, _ now: Timestamp) throws -> RelayBackup {
        let draft = "\(workshop)/archive"
        let archive = try TapeArchive(creating: draft)
        var names: [String] = []
        for name in RelayFolder.Name.all + [RelayFolder.Name.activity, RelayFolder.Name.blocked]
        where Files.exists("\(folder)/\(name)") {
            var source = "\(folder)/\(name)"
            if name == RelayFolder.Name.database || name == RelayFolder.Name.files {
                source = "\(workshop)/\(name)"
                try Database("\(folder)/\(name)", .readWrite).copy(to: source)
            }
            try archive.append(source, as: name, modified: now)
            names.append(name)
        }
        if try appendChunks(of: folder, to: archive, now) { names.append(RelayFolder.Name.chunks) }
        try archive.finish()
        return RelayBackup(size: try Files.status(draft).size, names: names)
    }
}
