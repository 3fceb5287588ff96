import SystemIO

/// A private folder in which an archive becomes a store before anybody sees it.
///
/// It is held by a lock of its own, so that whoever comes later can tell what is still used from what a crash has left.
final class ImportStaging {
    let path: String
    private let lock: Held
    private var isKept = false

    private static let prefix = ".import-"

    /// A lock in an object.
    private final class Held {
        let lock: FileLock

        init(_ path: String) throws(FileLock.Failure) {
            lock = try FileLock(path, note: [])
        }
    }

    /// Makes the folder inside of `parent`, which must exist.
    init(in parent: String) throws {
        path = try Files.createTemporaryFolder(in: parent, prefix: ImportStaging.prefix)
        lock = try Held(ImportStaging.lock(in: path))
    }

    /// The store that is being made.
    var store: StoreFolder { StoreFolder(path + "/store") }
    /// What came through a pipe.
    var spool: String { path + "/archive" }

    /// Leaves the folder to a ``StoreReplacement``, which removes it when it is empty.
    func keep() {
        isKept = true
    }

    deinit {
        if !isKept { try? Files.removeTree(path) }
        withExtendedLifetime(lock) {}
    }

    /// Removes what imports have left that did not come to their end. The caller holds the ``StoreLock``.
    static func sweep(_ folder: StoreFolder) {
        // A backup that was prepared for and did not come.
        for name in (try? Files.names(in: folder.backups)) ?? [] {
            try? Files.removeFolderIfEmpty("\(folder.backups)/\(name)")
        }
        try? Files.removeFolderIfEmpty(folder.backups)
        for name in (try? Files.names(in: folder.path)) ?? [] where name.hasPrefix(prefix) {
            let path = "\(folder.path)/\(name)"
            guard (try? Held(lock(in: path))) != nil else { continue }
            try? Files.removeTree(path)
        }
    }

    private static func lock(in path: String) -> String { path + "/lock" }
}
