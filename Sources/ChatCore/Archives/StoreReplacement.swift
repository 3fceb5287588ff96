import ByteCoding
import Glibc
import JSONCoding
public import SystemIO

/// The step that puts a store in the place of another.
///
/// It is decided by one file, the journal, whose appearance is the moment at which the new store is the store. Everything
/// that follows is renaming, may be repeated, and is gone on with by whoever holds the ``StoreLock`` next. So a process
/// that is killed leaves the old store or the new one; there is no third.
public struct StoreReplacement {
    private let folder: StoreFolder
    /// Where the new store is until it is in place, and where the old one goes.
    private let staging: String
    private let backup: String
    /// Whether nothing old is to be left, also of former replacements.
    private let erasesOld: Bool

    private init(_ folder: StoreFolder, staging: String, backup: String, erasesOld: Bool) {
        self.folder = folder
        self.staging = staging
        self.backup = backup
        self.erasesOld = erasesOld
    }

    /// Whether a replacement is going on, or was cut off.
    public static func isPending(in folder: StoreFolder) -> Bool {
        Files.exists(folder.replacement)
    }

    /// Goes on with a replacement that was cut off, if there is one. The caller holds the ``StoreLock``.
    public static func finish(in folder: StoreFolder) throws(SystemError) {
        guard isPending(in: folder) else { return }
        let journal = try Files.read(folder.replacement, limit: 4096)
        var fields = try? JSONFields(decoding: journal)
        guard let staging = try? fields?.text("staging"), let backup = try? fields?.text("backup"),
            isInside(staging), isInside(backup), let erasesOld = try? fields?.optionalBool("erase") ?? false
        else {
            // A journal is written whole or not at all, so this is none of ours.
            throw SystemError("finish the import", number: EIO)
        }
        try StoreReplacement(folder, staging: staging, backup: backup, erasesOld: erasesOld).carryOut()
    }

    /// Puts a new store in place of the one that is there, if there is one. The caller holds the ``StoreLock``.
    ///
    /// - Parameters:
    ///   - staging: The folder, inside of the store's, with the new store; all of it is on disk, and all of
    ///     ``StoreFolder/parts`` are there.
    ///   - now: What the backup is named after.
    ///   - erasesOld: Whether the old store, and all that were replaced before, are overwritten and removed.
    /// - Returns: The folder with the old store, or nil if there is none.
    static func replace(
        _ folder: StoreFolder, by staging: StagingFolder, now: Timestamp, erasesOld: Bool = false
    ) throws -> String? {
        let hadStore = (StoreFolder.parts + StoreFolder.logs).contains { Files.exists("\(folder.path)/\($0)") }
        try checkPlaces(folder)
        let inside = staging.path.dropFirst(folder.path.count + 1)
        let backup = "backups/replaced-\(fileName(of: now, in: folder))"
        var journal: JSONObject = ["staging": .string(String(inside)), "backup": .string(backup)]
        if erasesOld { journal.set("erase", true) }
        let replacement = StoreReplacement(
            folder, staging: String(inside), backup: backup, erasesOld: erasesOld)
        // What needs room on the disk comes before the decision.
        try Files.createFolder("\(folder.path)/\(backup)")
        try Files.replace(folder.replacement, journal.encoded)
        staging.keep()
        try replacement.carryOut()
        return hadStore && !erasesOld ? "\(folder.path)/\(backup)" : nil
    }

    /// Removes what was prepared for backups that did not come. The caller holds the ``StoreLock``.
    static func sweep(_ folder: StoreFolder) {
        for name in (try? Files.names(in: folder.backups)) ?? [] {
            try? Files.removeFolderIfEmpty("\(folder.backups)/\(name)")
        }
        try? Files.removeFolderIfEmpty(folder.backups)
        StagingFolder.sweep(folder)
    }

    /// Whatever could not be renamed must be known before the decision: a folder on another disk, for instance.
    private static func checkPlaces(_ folder: StoreFolder) throws(SystemError) {
        let own = try Files.status(folder.path)
        for name in StoreFolder.parts + StoreFolder.logs
        where Files.exists("\(folder.path)/\(name)") {
            guard try Files.status("\(folder.path)/\(name)", followsLink: false).isSameDisk(as: own) else {
                throw SystemError("move the file", number: EXDEV)
            }
        }
    }

    /// A time that can be a name, with a number behind it if there is such a backup already.
    private static func fileName(of time: Timestamp, in folder: StoreFolder) -> String {
        let text = time.description.prefix(19).filter { $0 != ":" }
        var name = text, number = 1
        while Files.exists("\(folder.backups)/replaced-\(name)") {
            number += 1
            name = "\(text)-\(number)"
        }
        return name
    }

    private func carryOut() throws(SystemError) {
        let new = "\(folder.path)/\(staging)/store", old = "\(folder.path)/\(backup)"
        try Files.createFolder(old)
        for name in StoreFolder.parts where Files.exists("\(new)/\(name)") {
            // What is still here is still to be put in place, so what is in its place is old.
            try setAside(name, old)
            try Files.rename("\(new)/\(name)", to: "\(folder.path)/\(name)")
        }
        // A new store brings no log. Nobody opens it before the end, so these are old.
        for name in StoreFolder.logs { try setAside(name, old) }
        try Files.synchronizeFolder(of: "\(old)/.")
        try Files.synchronizeFolder(of: "\(folder.path)/.")
        if erasesOld { try StoreErasure.erase(folder.backups) }
        // Nothing is known of the new store any more but that it is there.
        if Files.exists("\(folder.path)/\(staging)") { try Files.removeTree("\(folder.path)/\(staging)") }
        try Files.removeFolderIfEmpty(old)
        try Files.removeFolderIfEmpty(folder.backups)
        try Files.remove(folder.replacement)
        try Files.synchronizeFolder(of: folder.replacement)
    }

    private func setAside(_ name: String, _ old: String) throws(SystemError) {
        let place = "\(folder.path)/\(name)"
        if Files.exists(place) { try Files.rename(place, to: "\(old)/\(name)") }
    }

    /// SECURITY: whatever the journal says, nothing outside of the store's folder is touched.
    private static func isInside(_ path: String) -> Bool {
        !path.hasPrefix("/")
            && path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
                !$0.isEmpty && $0 != ".." && $0 != "."
            }
    }
}
