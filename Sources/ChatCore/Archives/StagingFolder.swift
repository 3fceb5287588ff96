import SystemIO

/// A private folder in which an archive becomes a store, or a store an archive, before anybody sees it.
///
/// It is held by a lock of its own, so that whoever comes later can tell what is still used from what a crash has left.
final class StagingFolder {
    let path: String
    private let lock: Held
    private var isKept = false

    private static let prefix = ".staging-"

    /// A lock in an object.
    private final class Held {
        let lock: FileLock

        init(_ path: String) throws(FileLock.Failure) {
            lock = try FileLock(path, note: [])
        }
    }

    /// Makes the folder inside of `parent`, which must exist.
    init(in parent: String) throws {
        // Whoever sweeps may come between the folder and its lock, though hardly twice.
        (path, lock) = try (try? StagingFolder.make(in: parent)) ?? StagingFolder.make(in: parent)
    }

    private static func make(in parent: String) throws -> (String, Held) {
        let path = try Files.createTemporaryFolder(in: parent, prefix: prefix)
        return (path, try Held(lock(in: path)))
    }

    /// The store that is being made, or packed.
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

    /// Removes what imports and exports have left that did not come to their end.
    static func sweep(_ folder: StoreFolder) {
        for name in (try? Files.names(in: folder.path)) ?? [] where name.hasPrefix(prefix) {
            let path = "\(folder.path)/\(name)"
            guard (try? Held(lock(in: path))) != nil else { continue }
            try? Files.removeTree(path)
        }
    }

    private static func lock(in path: String) -> String { path + "/lock" }
}
