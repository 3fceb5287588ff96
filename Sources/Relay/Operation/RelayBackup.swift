public import ByteCoding
import Store
public import SystemIO

/// A copy of a whole relay in one file, made while it runs: settings, certificates, keys, statistics, and the database
/// as it is at one moment. The file is a tar archive; unpacked into an empty folder it is the relay.
///
/// SECURITY: it holds the keys of the relay, and the messages that wait there, which are encrypted for their recipients.
public struct RelayBackup: Hashable, Sendable {
    /// The size of the archive in bytes.
    public let size: Int
    /// The names of the files in it.
    public let names: [String]

    /// Copies the relay in a folder into a new file.
    ///
    /// - Parameter path: Must not exist yet (a ``SystemError`` of that kind otherwise). If the copy fails, nothing stays
    ///   there.
    public static func make(
        of folder: String, at path: String, now: Timestamp = Timestamp(milliseconds: SystemClock.milliseconds())
    ) throws(RelayError) -> RelayBackup {
        // Only a relay whose settings can be read is worth a copy.
        _ = try RelayFolder.settings(in: folder)
        do {
            // The empty file keeps the place; whoever finds it after a crash sees that it is no backup.
            try Files.create(path, [])
            do {
                return try copy(folder, to: path, now)
            } catch {
                // The error says more than a file that cannot be removed either.
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
        // SECURITY: a copy of the keys must not stay behind unnoticed.
        try Files.removeTree(workshop)
        return backup
    }

    /// Makes the archive in an empty folder.
    private static func fill(_ workshop: String, from folder: String, _ now: Timestamp) throws -> RelayBackup {
        let draft = "\(workshop)/archive"
        let archive = try TapeArchive(creating: draft)
        var names: [String] = []
        for name in RelayFolder.Name.all + [RelayFolder.Name.activity] where Files.exists("\(folder)/\(name)") {
            var source = "\(folder)/\(name)"
            if name == RelayFolder.Name.database {
                source = "\(workshop)/database"
                try Database("\(folder)/\(name)", .readWrite).copy(to: source)
            }
            try archive.append(source, as: name, modified: now)
            names.append(name)
        }
        try archive.finish()
        return RelayBackup(size: try Files.status(draft).size, names: names)
    }
}
