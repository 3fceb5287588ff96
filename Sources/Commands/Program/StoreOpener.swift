import ChatCore
import CommandKit
import Host
import SystemIO
import TerminalKit

/// Opens the store for a command: with the lock of the one writer, or as a snapshot that waits for nobody.
struct StoreOpener {
    let invocation: Invocation
    private let isWriting: Bool
    private let usesNetwork: Bool
    private let lockTimeout: Duration
    private let watchesSignals: Bool
    private let isService: Bool
    private let attaches: Bool
    private let migrates: Bool
    private let onEvent: @Sendable (any ChatEvent) -> Void

    /// - Parameters:
    ///   - usesNetwork: Whether a command that only reads the store speaks with relays all the same.
    ///   - lockTimeout: How long to wait for another writer; as the user says by default.
    ///   - watchesSignals: Whether a signal ends the process between two transactions; for one that takes care of them itself
    ///     it does not.
    ///   - attaches: Whether a command that writes is carried out beside a process that has the store open.
    ///   - isService: True for a process that a reload and a request for its counters never end (``OtherSignal``).
    ///   - migrates: True for the commands that an unfinished migration is waiting for.
    ///   - onEvent: Called when an event is on disk.
    init(
        _ invocation: Invocation, isWriting: Bool, usesNetwork: Bool = false, lockTimeout: Duration? = nil,
        watchesSignals: Bool = true, attaches: Bool = true, isService: Bool = false, migrates: Bool = false,
        onEvent: @escaping @Sendable (any ChatEvent) -> Void = { _ in }
    ) {
        self.invocation = invocation
        self.isWriting = isWriting
        self.usesNetwork = usesNetwork || isWriting
        self.lockTimeout = lockTimeout ?? invocation[GlobalOptions.lockTimeout]
        self.watchesSignals = watchesSignals
        self.isService = isService
        let isAlone = Leaf.named(invocation.parsed.command.path)?.isAlone ?? false
        self.attaches = attaches && !isAlone
        self.migrates = migrates
        self.onEvent = onEvent
    }

    /// The same for a step that writes, within a command that only reads.
    var asWriter: StoreOpener { StoreOpener(invocation, isWriting: true, lockTimeout: lockTimeout) }

    /// Runs a command on the store: opened here, or where another process has it open and takes commands.
    func run<Result: Sendable>(_ body: @escaping @Sendable (CommandSession) async throws -> Result) throws -> Result {
        if let host = invocation.host { return try host.run(invocation, onEvent: onEvent, body) }
        let deadline = ContinuousClock.now + lockTimeout
        while true {
            if isWriting, attaches, let process = try holdingProcess() {
                if let result = try run(beside: process, until: deadline, body) { return result }
                continue
            }
            guard let (result, calls) = try runAlone(body) else { continue }
            // Hooks may use the store themselves: the lock is free now.
            try calls?.make()
            return result
        }
    }

    /// Runs a command on the store, opened here. Nil if somebody took it just now beside whom the command can run.
    private func runAlone<Result: Sendable>(
        _ body: @escaping @Sendable (CommandSession) async throws -> Result
    ) throws -> (Result, WaitingCalls?)? {
        guard let opening = try openIfFree() else { return nil }
        return try carryOut(on: opening, body)
    }

    /// The process that has the store open and takes commands, if there is one.
    private func holdingProcess() throws -> HoldingProcess? {
        HoldingProcess(of: try existingFolder())
    }

    /// Runs a command on the core of the process that has the store open.
    ///
    /// - Returns: Nil if nobody takes commands there now, and the lock may be free.
    private func run<Result: Sendable>(
        beside process: HoldingProcess, until deadline: ContinuousClock.Instant,
        _ body: @escaping @Sendable (CommandSession) async throws -> Result
    ) throws -> Result? {
        let folder = try existingFolder(), invocation = invocation, onEvent = onEvent
        let loop = try EventLoop()
        let progress = ProgressDisplay(invocation, loop)
        return try loop.run {
            guard let remote = try await process.connect(loop, until: deadline, for: invocation) else { return nil }
            try await remote.checkRoute(invocation)
            let listening = remote.events.listen { event in
                progress.pausing {
                    invocation.trace(event)
                    onEvent(event)
                }
            }
            let host = OpenStore(remote, folder, loop, command: invocation.commandName)
            do {
                let result = try await CommandSession(host, invocation, progress).opening(body)
                progress.stop()
                listening.end()
                await remote.core.close()
                return result
            } catch {
                progress.stop()
                await remote.core.close()
                throw error
            }
        }
    }

    /// Finds the store and its key. Nil if somebody took it just now beside whom the command can run.
    private func openIfFree() throws -> StoreClaim? {
        do { return try open() } catch let error as Reason where isWriting && attaches && error.code == "store.shared" {
            return nil
        }
    }

    /// Finds the store and its key.
    func open() throws -> StoreClaim { try claim(try existingFolder()) }

    /// Finds the store and its key, and leaves the right to write to another process that has it and takes commands.
    ///
    /// - Parameter known: The key, if the store was open before: nobody is asked for it once more.
    func openOrAttach(with known: OpenedKey? = nil) throws -> StoreClaim {
        let folder = try existingFolder()
        return try StoreClaim.make(
            folder, .init(holder: .takesChanges, keepsKey: false), known: known.map(Optional.some), caller(folder))
    }

    /// Puts an empty store in place of one that was found before, and is not open any more.
    func replaceByEmpty(_ opening: StoreClaim, _ values: [SessionKey: String]) throws {
        try StoreErasure.replaceByEmpty(opening.folder, key: opening.key, values: values)
    }

    /// Runs a command on a store that was found before. It may be run again when it has ended.
    func run<Result: Sendable>(
        on opening: StoreClaim, _ body: @escaping @Sendable (CommandSession) async throws -> Result
    ) throws -> Result {
        try carryOut(on: opening, body).0
    }

    /// Runs a command on a store that was found before, and says which hooks have to be run then.
    private func carryOut<Result: Sendable>(
        on opening: StoreClaim, runsHooks: Bool = true,
        _ body: @escaping @Sendable (CommandSession) async throws -> Result
    ) throws -> (Result, WaitingCalls?) {
        let folder = opening.folder, lock = opening.lock, key = opening.key
        // SECURITY: a command that is not meant to connect could not do it past the user's proxy.
        let network = usesNetwork ? try NetworkVariables.settings(invocation) : .closed
        let loop = try EventLoop()
        let progress = ProgressDisplay(invocation, loop)
        let process = HostProcess(command: invocation.commandName, isService: isService)
        let signals = isWriting && watchesSignals ? try watchSignals(loop, progress, process) : nil
        defer { withExtendedLifetime((lock, signals)) {} }
        let invocation = invocation, isWriting = isWriting, onEvent = onEvent
        let hooks = runsHooks ? try StoreHooks(invocation, loop, isWriting: isWriting) : .none
        let files = try invocation.acceptedFiles()
        let writer = WritingSteps(access: asWriter, folder: folder, key: key, loop: loop, hooks: hooks.core)
        let steps = isWriting ? nil : writer
        return try loop.run {
            let events = Listeners<any ChatEvent>()
            _ = events.listen { event in
                progress.pausing {
                    invocation.trace(event)
                    onEvent(event)
                }
                hooks.runner?.assumeIsolated { $0.wake() }
            }
            let core = try await opening.open(upgrade: { try upgrade(key) }) { () async throws(ChatError) in
                try await LocalCore(
                    folder, isWriting ? .writing : .reading, key: key, loop: loop, network: network,
                    machine: invocation.machine, onEvent: events.tell, hooks: hooks.core)
            }
            await core.setFileAcceptance(files)
            if await core.isCopy { invocation.warn(StoreOpener.copyWarning) }
            if !isWriting, await core.hasExpired { await writer.removeExpired() }
            let host = OpenStore(
                core, folder, loop, events, process, network: network, key: key, lock: lock, hooks: hooks.runner)
            invocation.trace("opened for \(isWriting ? "writing" : "reading")", level: 2)
            do {
                let session = CommandSession(host, invocation, progress, steps: steps)
                let result = try await session.opening(body)
                progress.stop()
                await hooks.runner?.leave()
                let calls = try await hooks.waiting(core, writer)
                try await core.close()
                return (result, calls)
            } catch {
                progress.stop()
                throw error
            }
        }
    }

    /// Who uses a copy that was made by hand may not know it, or not what that means.
    static let copyWarning =
        "this store was copied from another machine: use only one of the two, or conversations break (tacit db thaw)"

    /// The folder with the store, which must be there.
    func existingFolder() throws -> StoreFolder {
        let folder = try invocation.storeFolder()
        try checkMigration(of: folder)
        // Between the old store and the new one there may be none; whoever finds that goes on with the import.
        if StoreReplacement.isPending(in: folder) { _ = try lock(folder) }
        guard folder.exists else { throw Reason.noStore(folder) }
        return folder
    }

    /// As ``existingFolder()``, for commands that are about the key and do not open the store, which would tell a foreign one.
    func ownFolder() throws -> StoreFolder {
        let folder = try existingFolder()
        try folder.checkOwn()
        return folder
    }

    /// The lock, if the command writes, and the key, if the store is encrypted. What a crash left half done is finished.
    ///
    /// - Parameter allowsKept: Whether the key that `unlock` kept will do.
    func claim(_ folder: StoreFolder, allowsKept: Bool = true) throws -> StoreClaim {
        if let host = invocation.host {
            guard !isWriting else { throw Reason.sharedStore }
            return StoreClaim(folder, lock: nil, key: host.key)
        }
        let policy = StoreOpening.Policy(
            isWriting: isWriting, holder: attaches ? .takesCommands : .isInTheWay, keepsKey: allowsKept)
        let claim = try StoreClaim.make(folder, policy, caller(folder, allowsKept: allowsKept))
        // Most commands go on beside others; this one has to begin again.
        guard claim.holder == nil else { throw Reason.sharedStore }
        return claim
    }

    /// The decisions of the command about the way to its store.
    private func caller(_ folder: StoreFolder, allowsKept: Bool = true) -> StoreClaim.Caller {
        var caller = StoreClaim.Caller(command: invocation.commandName, timeout: lockTimeout) {
            try KeySearch(invocation, folder).key(allowsKept: allowsKept)
        }
        caller.check = { try checkMigration(of: folder) }
        caller.lockError = { error in if error.condition == .noLocks { Reason.noLocks(folder) } else { error } }
        return caller
    }

    /// Upgrades the store if the program is newer. For a command that does without the core.
    func upgradeIfOlder(_ key: OpenedKey?) throws {
        let report = try StoreUpgrade.run(try existingFolder(), key: key, confirmation: .error)
        if report.result != .ok { try upgrade(key) }
    }

    private func upgrade(_ key: OpenedKey?) throws {
        if try invocation.value(of: ProgramSettings.confirmsUpgrades) { throw ChatError.database(.older) }
        let folder = try existingFolder()
        let lock = isWriting ? nil : try lock(folder)
        defer { withExtendedLifetime(lock) {} }
        let report = try upgradeLocked(.yesUp, key)
        for step in report.up { invocation.trace("applied migration \(step)") }
    }

    /// The right to write, waited for as long as the user wants.
    ///
    /// - Throws: ``StoreInUse`` if another process has it.
    func lock(_ folder: StoreFolder) throws -> Held<StoreLock> {
        switch try takeLock(folder) {
        case .taken(let lock): return lock
        case .held(let process): throw StoreInUse(process, .needsItsEnd, command: invocation.commandName)
        }
    }

    /// The right to write, waited for as long as the user wants, unless a process has it that takes commands.
    func takeLock(_ folder: StoreFolder) throws -> StoreClaim.Lock {
        try StoreClaim.taken(folder, caller(folder))
    }

    /// Fails if an unfinished migration forbids the use of a store.
    func checkMigration(of folder: StoreFolder) throws {
        guard !migrates, let record = try MigrationFolder(of: folder).record() else { return }
        switch record.stage.refusal {
        case .nothing: return
        case .changes where !isWriting: return
        case .changes, .everything: throw Reason.unfinishedMigration(record)
        }
    }

    /// Runs something on a store that carries the archive of a migration. It is nobody's store: no hook hears of it.
    func run<Result: Sendable>(
        onTransfersOf migration: MigrationFolder,
        _ body: @escaping @Sendable (CommandSession) async throws -> Result
    ) throws -> Result {
        try run(onTransfers: migration.transfer, body)
    }

    /// Runs something on a plain store that only carries files.
    func run<Result: Sendable>(
        onTransfers folder: StoreFolder, _ body: @escaping @Sendable (CommandSession) async throws -> Result
    ) throws -> Result {
        let opening = StoreClaim(folder, lock: try lock(folder), key: nil)
        return try carryOut(on: opening, runsHooks: false, body).0
    }

    /// Runs something on a store that this command has the lock of.
    func run<Result: Sendable>(
        on folder: StoreFolder, _ lock: Held<StoreLock>, _ key: OpenedKey?,
        _ body: @escaping @Sendable (CommandSession) async throws -> Result
    ) throws -> Result {
        try carryOut(on: StoreClaim(folder, lock: lock, key: key), body).0
    }

    /// Between two transactions a signal may end the process: everything that was answered is on disk.
    private func watchSignals(
        _ loop: EventLoop, _ progress: ProgressDisplay, _ process: HostProcess
    ) throws -> Held<SignalWatch> {
        let output = invocation.output, hook = invocation.runningHook
        let numbers = EndingSignal.heeded + (isService ? [OtherSignal.count] : [])
        let watch = try SignalWatch(numbers, on: loop) { number in
            if process.isService, number == OtherSignal.count { return process.count() }
            // The second time somebody is in a hurry.
            let request: HostProcess.Request = number == EndingSignal.hangUp.number ? .reload : .stop
            if process.pass(request, bySignal: true) { return }
            progress.stop()
            process.sayFarewell()
            try? output.finish(within: .seconds(1))
            hook.end()
            ProcessEnding.signal(number)
        }
        return Held(watch)
    }
}
