import ByteCoding
import ChatCore
import CommandKit
import Host
import SMPProtocol
import Synchronization
import SystemIO
import TerminalKit

/// The machine that a store comes to.
extension MigrationRun {
    /// How long the new store receives before the command ends.
    private static let firstFetch = Duration.seconds(30)
    /// How long the report to the other machine may take.
    private static let reportTime = Duration.seconds(20)

    /// SECURITY: asks before this machine shows relays its address where the other one did not.
    func checkRoute(_ link: MigrationLink) throws {
        guard link.network?.hidesAddress == true,
            MigrationLink.Network(try NetworkVariables.settings(invocation)).proxy == nil
        else { return }
        let fact = "the other machine uses a proxy and this one does not: file relays learn its IP address"
        try Consent.require(
            StyledText("The other machine uses a proxy, and this one does not. Show file relays its IP address?"),
            "tacit migrate from LINK --yes", invocation, why: [fact])
    }

    // MARK: - The download

    /// Downloads the archive.
    func download(_ record: MigrationRecord) throws -> MigrationRecord {
        guard let text = record.link, let link = MigrationLink(text: text) else { throw Reason.bug }
        try makeTransfersIfMissing()
        let progress = FileProgress("downloading")
        let access = StoreOpener(invocation, isWriting: true, migrates: true) { progress.note($0) }
        return try access.run(onTransfersOf: folder) { session in
            // The archive must not be imported twice.
            await session.host.local?.endLinks()
            let profile = try await session.execute(ShowActiveProfile()).profile.id
            let files = try await session.execute(ListFiles(profile)).files
            let known = files.last { !$0.isSent && !$0.file.state.hasEnded }
            let id: ChatFileID
            if let known {
                id = known.file.id
            } else {
                try folder.removeArchive()
                id = try await session.execute(DownloadFile(profile, link.text, to: folder.archive)).file.id
            }
            session.progress.start { progress.step }
            _ = try await session.execute(WaitForFile(id, timeout: invocation[MigrateCommand.stall]))
            session.progress.stop()
            let listed = try await session.execute(ShowFile(id)).file
            switch listed.file.state {
            case .received: break
            case .receivedError(.gone):
                _ = try folder.take(.lost, in: record)
                throw Reason.migrationLinkUsed
            default: throw Reason.migrationDelayed(listed.file.state)
            }
            var record = record
            record.archiveSize = listed.file.size
            record.replaced = folder.inode
            return try take(.downloaded, record)
        }
    }

    private func makeTransfersIfMissing() throws {
        let transfers = folder.transfer, machine = invocation.machine
        if transfers.exists {
            let loop = try EventLoop()
            let isWhole = try? loop.run {
                try await !LocalCore(transfers, .reading, loop: loop, machine: machine).execute(ListProfiles())
                    .profiles.isEmpty
            }
            if isWhole == true { return }
        }
        try folder.removeTransfer()
        try MigrationRun.makeTransfers(in: transfers, [], [], machine)
    }

    // MARK: - The import

    /// Makes a store of the archive, and goes on with it.
    func importArchive(_ record: MigrationRecord) throws -> ExitCode {
        do throws(SystemError) {
            try folder.store.create()
        } catch {
            throw Reason.importFolder(error, at: folder.store.path)
        }
        let lock = try access.lock(folder.store)
        _ = try folder.store.finishChanges()
        var key: OpenedKey?
        var isKnown = false
        // A crash may have come between the import and the note of it.
        if folder.inode == nil || folder.inode == record.replaced {
            key = try makeStore(record)
            isKnown = true
        }
        let next = try take(.imported, record)
        if !isKnown { key = try KeySearch(invocation, folder.store).key() }
        let moved = try start(lock, key)
        return try report(next, moved)
    }

    /// Makes a store of the archive, whatever program has made it, and returns what opens the store.
    private func makeStore(_ record: MigrationRecord) throws -> OpenedKey? {
        let archiveKey = ArchiveKey(invocation, .init(command: ["migrate", "resume"]))
        let opened = Mutex<OpenedKey?>(nil), made = Mutex<GivenKey?>(nil)
        let folder = folder, invocation = invocation
        let report = try TransferProgress(invocation, "importing").run { step in
            let staged = StoreImport(
                folder.store, record.replaces ? .replacing : .empty,
                unlock: { store in
                    let key = try archiveKey.open(store)
                    opened.withLock { $0 = key }
                    return key
                },
                makeKey: {
                    let key = try archiveKey.make()
                    made.withLock { $0 = key }
                    return key
                },
                official: StoreImport.Official(passphrase: archiveKey.officialPassphrase), progress: step)
            return try staged.run(try FileDescriptor(reading: folder.archive), workshop: folder.store.path)
        }
        try invocation.print(
            done: ImportReport(isDryRun: false, folder: folder.store, report: report, keyFile: archiveKey.path))
        try ImportCommand.sayKey(archiveKey, report, invocation)
        guard let given = made.withLock({ $0 }) else { return opened.withLock { $0 } }
        return try StoreProtection(of: folder.store)?.open(with: given)
    }

    /// What the other machine is told by.
    struct MovedStore: Sendable {
        let relays: [ConfiguredServer]
    }

    /// Opens the new store, and receives what has arrived.
    private func start(_ lock: Held<StoreLock>, _ key: OpenedKey?) throws -> MovedStore {
        let invocation = invocation
        return try access.run(on: folder.store, lock, key) { session in
            let groups = try await session.execute(ListServers(nil)).groups
            let relays = groups.flatMap { group in group.servers.filter(group.uses) }.map(\.server)
            session.progress.start { "receiving" }
            // What does not come now comes with the next fetch.
            _ = try? await session.execute(FetchMessages(timeout: MigrationRun.firstFetch))
            session.progress.stop()
            let unread = try await session.profiles().reduce(0) { $0 + $1.unreadCount }
            if unread > 0 { invocation.note(StyledText("unread messages: \(unread)")) }
            return MovedStore(relays: relays)
        }
    }

    // MARK: - The report

    /// Tells the other machine, if it can be told, and removes what the migration has left.
    ///
    /// - Parameter moved: Nil if the process has ended between the import and this: then nobody is told.
    func report(_ record: MigrationRecord, _ moved: MovedStore?) throws -> ExitCode {
        var isTold = false
        if let moved, !moved.relays.isEmpty, let link = record.link.flatMap({ MigrationLink(text: $0) }),
            let invitation = link.report
        {
            isTold = (try? tell(invitation, moved)) ?? false
        }
        _ = try folder.take(.completed, in: record)
        try invocation.print(done: MigrationReport(folder, nil, .finished))
        let known = isTold ? "the other machine was told; next, " : "next, "
        invocation.note(StyledText("\(known)on the other machine: tacit migrate finish"))
        return .ok
    }

    /// Uses the invitation of the link, which says that the store works here.
    private func tell(_ invitation: String, _ moved: MovedStore) throws -> Bool {
        try access.run(onTransfersOf: folder) { session in
            let profile = try await session.execute(ShowActiveProfile()).profile.id
            _ = try await session.execute(SetServers(profile, moved.relays))
            session.progress.start { "reporting to the other machine" }
            let deadline = ContinuousClock.now + MigrationRun.reportTime
            let started = try await session.execute(
                Connect(profile, link: invitation, name: nil, isIncognito: false, isQueued: true), before: deadline)
            guard let connection = started.connection else { return false }
            let waited = try await session.execute(
                WaitForConnection(connection.id, .joined, timeout: max(.zero, deadline - .now)))
            session.progress.stop()
            return waited.connection.status != .prepared && waited.connection.status != .failed
        }
    }
}
