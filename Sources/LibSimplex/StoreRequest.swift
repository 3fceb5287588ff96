import ChatCore
import CryptoCore
import Host
import JSONCoding
import SystemIO

/// The store that a caller wants to open.
struct StoreRequest: Sendable {
    /// The command that the lock names.
    static let command = "libsimplex"

    /// The path that the official library puts before the names of its databases.
    let prefix: String
    /// The key; nil for a store without encryption.
    let key: Secret?
    /// True if the store may be opened again without its key.
    let keepsKey: Bool
    /// The word for what an upgrade may do.
    let confirmation: String

    /// The folder of the store: the prefix itself if it is a folder with a store, or else `PREFIX.tacit`.
    var folder: StoreFolder { StoreFolder(prefix: prefix) }

    /// The chat database of the official library with this prefix.
    private var officialDatabase: String { prefix + "_chat.db" }

    /// Which upgrades are allowed; nil for an unknown word.
    private var allowedUpgrade: StoreUpgrade.Confirmation? {
        switch confirmation {
        case "yesUp": .yesUp
        case "yesUpDown": .yesUpDown
        // There is no terminal on which to ask.
        case "error", "console": .error
        default: nil
        }
    }

    /// Takes the lock of the store, checks its key and upgrades it. Blocks while a passphrase is worked out.
    func claim() throws(StoreRefusal) -> StoreClaim {
        guard let allowedUpgrade else { throw StoreRefusal(.invalidConfirmation) }
        let folder = folder
        do {
            guard !prefix.isEmpty else { throw StoreRefusal(folder, "the path is empty") }
            // SECURITY: a new store would have another address, and the conversations would seem lost.
            guard folder.exists || !Files.exists(officialDatabase) else {
                throw StoreRefusal(
                    .errorSQL(
                        file: officialDatabase,
                        message:
                            "a database of SimpleX Chat, which tacit cannot open: move it to start with a new store"))
            }
            try folder.create()
            try folder.checkAccess()
            // A store that was closed in another thread is free in a moment.
            var caller = StoreClaim.Caller(command: StoreRequest.command, timeout: .seconds(2)) {
                try openedKey(of: folder)
            }
            caller.isAwaited = { $0.pid == nil || $0.pid == Int64(ProcessEnvironment.processID) }
            caller.checkLocked = { try folder.checkOwn() }
            caller.makeKey = newKey
            caller.upgrade = { key in
                let report = try StoreUpgrade.run(folder, key: key, confirmation: allowedUpgrade)
                guard report.result == .ok else { throw StoreRefusal(report.result) }
            }
            return try StoreClaim.make(folder, .init(findsKeyFirst: false, creates: true, upgradesFirst: true), caller)
        } catch {
            throw StoreRefusal(folder, error)
        }
    }

    private func newKey() throws -> OpenedKey? {
        guard let key, let given = GivenKey(key) else { return nil }
        return try OpenedKey.make(for: given)
    }

    private func openedKey(of folder: StoreFolder) throws -> OpenedKey? {
        let protection = try StoreProtection(of: folder)
        switch (protection, key.flatMap { GivenKey($0) }) {
        case (nil, nil): return nil
        case (let protection?, let given?): return try protection.open(with: given)
        case (nil, _?), (_?, nil): throw ChatError.database(.wrongKey)
        }
    }
}

/// The reason why a store is not opened.
struct StoreRefusal: Error {
    let result: DBMigrationResult

    init(_ result: DBMigrationResult) {
        self.result = result
    }

    init(_ folder: StoreFolder, _ reason: String) {
        result = .errorSQL(file: folder.path, message: reason)
    }

    init(_ folder: StoreFolder, _ error: any Error) {
        switch error {
        case let refusal as StoreRefusal: self = refusal
        case let error as StoreInUse:
            let process = error.holder.pid.map { "process \($0)" } ?? "another process"
            self.init(folder, "the store is open in \(process)")
        case ChatError.database(.wrongKey), ChatError.database(.keyMissing), ChatError.database(.foreign):
            self.init(.errorNotADatabase(file: folder.path))
        case ChatError.database(let problem): self.init(folder, problem.rawValue)
        case let error as SystemError: self.init(folder, error.description)
        case let error as LibraryError: self.init(folder, LibraryError.text(error))
        case let error as StoreExposure: self.init(folder, StoreRefusal.text(error))
        case let error as ChatError: self.init(folder, error.json.line)
        default: self.init(folder, "\(error)")
        }
    }

    private static func text(_ exposure: StoreExposure) -> String {
        switch exposure {
        case .foreign(let path): "\(path) belongs to another user"
        case .writable(let path): "other users may write to \(path)"
        case .notALock(let path): "\(path) is not a regular file"
        }
    }
}
