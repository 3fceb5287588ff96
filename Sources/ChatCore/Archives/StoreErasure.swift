public import ByteCoding
import ChatProtocol
import Glibc
import Store
public import SystemIO

/// Puts an empty store in place of one that nobody is to see any more.
///
/// The order is that of a ``StoreReplacement``, so that a process that is killed leaves the old store or goes on, whoever
/// comes next: the empty store is made beside the old one; a journal decides; the old files are moved aside, the new ones
/// put in place; then everything old is overwritten and removed, and only then the journal.
public enum StoreErasure {
    /// Replaces a store. The caller holds the ``StoreLock``, and no core is open.
    ///
    /// - Parameters:
    ///   - key: What opened the old store. The new one opens with the same.
    ///   - name: The name of the only profile; nil for a store without one.
    ///   - values: What sessions are to find in the new store.
    public static func replaceByEmpty(
        _ folder: StoreFolder, key: OpenedKey?, profile name: String? = "user", values: [SessionKey: String] = [:],
        now: Timestamp = Timestamp(milliseconds: SystemClock.milliseconds())
    ) throws(ChatError) {
        do {
            StoreReplacement.sweep(folder)
            let staging = try StagingFolder(in: folder.path)
            try staging.store.create()
            try Files.createFolder(staging.store.files)
            try NewStore.create(in: staging.store, key)
            try fill(staging.store, key, name.map { Profile(displayName: $0) }, values, now)
            try Files.synchronizeAll(at: staging.path)
            _ = try StoreReplacement.replace(folder, by: staging, now: now, erasesOld: true)
        } catch {
            throw ChatError(error)
        }
    }

    /// Writes what the new store has, and closes it.
    private static func fill(
        _ folder: StoreFolder, _ key: OpenedKey?, _ profile: Profile?, _ values: [SessionKey: String], _ now: Timestamp
    ) throws {
        let store = try ChatStore(folder.chatDatabase, .readWrite, key?.key)
        try store.transaction {
            if let profile { try store.activate(try store.insertProfile(profile, at: now)) }
            for (key, value) in values { try store.setSessionValue(key.rawValue, value) }
            // An old store is one in which the first steps are done.
            try store.setSessionValue("onboarding", OnboardingStage.complete.rawValue)
        }
        try store.database.truncateLog()
    }

    /// Overwrites and removes a store with all that belongs to it, also stores that were replaced. Keys, configuration and the lock
    /// stay. May be repeated. The caller holds the ``StoreLock``, and no core is open.
    public static func removeStore(_ folder: StoreFolder) throws(ChatError) {
        do {
            StagingFolder.sweep(folder)
            for name in StoreFolder.parts + StoreFolder.logs where Files.exists("\(folder.path)/\(name)") {
                try eraseAny("\(folder.path)/\(name)")
            }
            let others = [
                folder.transfers, folder.backups, folder.crashNote, folder.conversionNote, folder.replacement,
            ]
            for path in others where Files.exists(path) { try eraseAny(path) }
            try Files.synchronizeFolder(of: folder.lock)
        } catch {
            throw ChatError(error)
        }
    }

    private static func eraseAny(_ path: String) throws(SystemError) {
        let status = try Files.status(path, followsLink: false)
        if status.isFolder { return try erase(path) }
        if status.isRegular { try overwrite(path, status.size) }
        try Files.remove(path)
    }

    /// Overwrites and removes a folder and everything in it. May be repeated.
    static func erase(_ path: String) throws(SystemError) {
        guard Files.exists(path) else { return }
        for name in try Files.names(in: path) {
            let inner = "\(path)/\(name)"
            let status = try Files.status(inner, followsLink: false)
            if status.isFolder {
                try erase(inner)
            } else {
                if status.isRegular { try overwrite(inner, status.size) }
                try Files.remove(inner)
            }
        }
        try Files.removeFolderIfEmpty(path)
    }

    /// Writes zeros over a file, and waits until they are on the disk.
    private static func overwrite(_ path: String, _ size: Int) throws(SystemError) {
        let file = try FileDescriptor(opening: path, O_WRONLY | O_NOFOLLOW, "overwrite the file")
        let zeros = Bytes(repeating: 0, count: 1 << 16)
        var left = size
        while left > 0 {
            let count = min(left, zeros.count)
            try file.write(count == zeros.count ? zeros : Bytes(zeros.prefix(count)), "overwrite the file")
            left -= count
        }
        try file.synchronize()
    }
}
