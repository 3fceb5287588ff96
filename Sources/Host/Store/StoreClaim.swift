public import ChatCore
public import SystemIO

/// A store that was found, with the right to write to it and what opens it.
public struct StoreClaim: Sendable {
    public let folder: StoreFolder
    /// Nil for a caller that only reads, or if another process has the lock.
    public let lock: Held<StoreLock>?
    /// Nil for a store without encryption.
    public let key: OpenedKey?
    /// The process that has the store open for writing and takes commands; nil if none has.
    public let holder: HoldingProcess?
    /// True if there is no store in the folder yet.
    public let isNew: Bool
    private let opening: StoreOpening

    /// What a caller decides on the way to its store.
    public struct Caller {
        /// The command that the lock names, and the error if the store is in use.
        public var command: String
        /// How long a lock is waited for that another process has.
        public var timeout: Duration
        /// Returns true for a process whose end is waited for.
        public var isAwaited: (StoreLock.Holder) -> Bool = { HoldingProcess($0) == nil }
        /// Fails if the store must not be used now.
        public var check: () throws -> Void = {}
        /// Fails if the store, which is locked now, must not be opened.
        public var checkLocked: () throws -> Void = {}
        /// The error for a lock that the system does not give.
        public var lockError: (SystemError) -> any Error = { $0 }
        /// Finds what opens the store; nil if it is not encrypted.
        public var findKey: () throws -> OpenedKey?
        /// Makes the key of a new store; nil for one without encryption.
        public var makeKey: () throws -> OpenedKey? = { nil }
        /// Brings the store to the version of the program.
        public var upgrade: (OpenedKey?) throws -> Void = { _ in }

        public init(command: String, timeout: Duration, findKey: @escaping () throws -> OpenedKey?) {
            self.command = command
            self.timeout = timeout
            self.findKey = findKey
        }
    }

    /// A store that is claimed already.
    public init(_ folder: StoreFolder, lock: Held<StoreLock>?, key: OpenedKey?) {
        self.init(folder, lock, key, nil, isNew: false, StoreOpening(.init(isWriting: lock != nil), hasKey: true))
    }

    private init(
        _ folder: StoreFolder, _ lock: Held<StoreLock>?, _ key: OpenedKey?, _ holder: HoldingProcess?, isNew: Bool,
        _ opening: StoreOpening
    ) {
        self.folder = folder
        self.lock = lock
        self.key = key
        self.holder = holder
        self.isNew = isNew
        self.opening = opening
    }

    /// Takes the steps to a store, up to the opening of its core.
    ///
    /// - Parameter known: The key of an earlier opening; nil if it has to be found.
    /// - Throws: ``StoreInUse`` if another process is in the way.
    public static func make(
        _ folder: StoreFolder, _ policy: StoreOpening.Policy, known: OpenedKey?? = .none, _ caller: Caller
    ) throws -> StoreClaim {
        var opening = StoreOpening(policy, hasKey: known != nil, isWhole: !folder.hasUnfinishedChange)
        var lock: Held<StoreLock>?, key = known ?? nil, holder: HoldingProcess?, isNew = false
        while true {
            switch opening.step {
            case .findKey:
                key = try caller.findKey()
                opening.take(.keyFound)
            case .lock:
                switch try taken(folder, caller) {
                case .taken(let taken):
                    lock = taken
                    isNew = !folder.exists
                    if !isNew { try caller.checkLocked() }
                    opening.take(.locked(exists: !isNew))
                case .held(let process):
                    holder = process
                    opening.take(.held)
                }
            case .finishChanges: opening.take(.changesFinished(isChanged: try folder.finishChanges()))
            case .makeKey:
                key = try caller.makeKey()
                opening.take(.keyFound)
            case .upgrade:
                try caller.upgrade(key)
                opening.take(.upgraded)
            case .open, .attach: return StoreClaim(folder, lock, key, holder, isNew: isNew, opening)
            case .refuse:
                guard let holder else { throw ChatError.internal }
                throw StoreInUse(holder, .needsItsEnd, command: caller.command)
            }
        }
    }

    /// Opens the core. A store of an older version is upgraded first: the first caller after an update of the program does that.
    public func open<Opened>(
        upgrade: () throws -> Void, _ open: () async throws(ChatError) -> Opened
    ) async throws -> Opened {
        var opening = opening
        do throws(ChatError) {
            return try await open()
        } catch .database(.older) {
            opening.take(.isOlder)
        }
        if opening.step == .upgrade {
            try upgrade()
            opening.take(.upgraded)
        }
        return try await open()
    }

    // MARK: - The lock

    /// The process that may write to a store.
    public enum Lock {
        /// This one.
        case taken(Held<StoreLock>)
        /// Another one, which takes commands.
        case held(HoldingProcess)
    }

    /// Takes the lock of a store, waiting for another process to release it, and finishes an import that a crash interrupted.
    ///
    /// - Throws: ``StoreInUse`` if another process keeps it, and takes no commands.
    public static func taken(_ folder: StoreFolder, _ caller: Caller) throws -> Lock {
        let lock = try wait(for: folder, caller)
        // A migration may have begun while another process had the lock.
        try caller.check()
        if case .taken = lock { try StoreReplacement.finish(in: folder) }
        return lock
    }

    private static func wait(for folder: StoreFolder, _ caller: Caller) throws -> Lock {
        let deadline = ContinuousClock.now + caller.timeout
        while true {
            do throws(StoreLock.Failure) {
                return .taken(Held(try StoreLock(folder, command: caller.command)))
            } catch .held(let holder) {
                if caller.isAwaited(holder), ContinuousClock.now < deadline {
                    SystemClock.pause(StoreLock.pollingInterval)
                } else if let process = HoldingProcess(holder) {
                    return .held(process)
                } else {
                    throw StoreInUse(holder: holder, waited: caller.timeout, command: caller.command)
                }
            } catch .system(let error) {
                throw caller.lockError(error)
            }
        }
    }
}
