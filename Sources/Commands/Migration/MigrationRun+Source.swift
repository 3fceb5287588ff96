import AgentProtocol
import ByteCoding
import ChatCore
import ChatProtocol
import CommandKit
import Host
import SMPProtocol
import SystemIO
import TerminalKit

/// The machine that a store leaves.
extension MigrationRun {
    /// How long a command waits for relays that it asks on the way, and can do without.
    private static let courtesy = Duration.seconds(15)

    // MARK: - The archive

    /// Freezes the store, and writes its archive. If that fails, the store is as it was.
    func archive(
        _ record: MigrationRecord, _ store: StoreFolder, _ lock: Held<StoreLock>?, _ key: OpenedKey?,
        _ passphrase: GivenKey?
    ) throws -> MigrationRecord {
        defer { withExtendedLifetime(lock) {} }
        let folder = folder, machine = invocation.machine
        let report = try TransferProgress(invocation, "archiving").run { step in
            do {
                try folder.removeArchive()
                try folder.removeTransfer()
                try prepareTransfers(store, key)
                return try StoreExport.run(
                    store, record.appVersion.map(StoreExport.Form.official) ?? .own, key: key, passphrase: passphrase,
                    freezes: true,
                    to: .file(folder.archive, progress: step), machine: machine)
            } catch {
                // Nobody has anything yet.
                try StoreFreeze.end(in: store, key: key, machine: machine)
                try folder.remove()
                throw error
            }
        }
        for warning in report.warnings { invocation.warn(ExportCommand.sentence(warning)) }
        if let remainders = report.remainders {
            for line in ExportRemainder.lines(remainders) { invocation.note(line) }
        } else if let place = try KeyPlace(invocation, store) {
            let other = report.hasPassphrase ? "; the passphrase of the archive opens it too" : ""
            invocation.note(StyledText("the key is not in the archive: \(place.sentence)\(other)"))
        } else {
            invocation.warn("the store is not encrypted, so anyone with the link can read the archive")
        }
        var record = record
        record.archiveSize = Int64(report.size)
        return try take(.archived, record)
    }

    /// Makes the store that carries the archive, with the relays of the active profile.
    private func prepareTransfers(_ store: StoreFolder, _ key: OpenedKey?) throws {
        let loop = try EventLoop(), machine = invocation.machine, transfers = folder.transfer
        let (relays, fileRelays) = try loop.run {
            let reader = try await LocalCore(store, .reading, key: key, loop: loop, machine: machine)
            let groups = try await reader.execute(ListServers(nil)).groups
            let relays = groups.flatMap { group in group.servers.filter(group.uses) }.map(\.server)
            return (relays, try await reader.execute(ListFileServers()).used)
        }
        guard !fileRelays.isEmpty else { throw ChatError.file(.noServer) }
        try MigrationRun.makeTransfers(in: transfers, relays, fileRelays, machine)
    }

    /// Makes a store with a profile that nobody sees.
    static func makeTransfers(
        in folder: StoreFolder, _ relays: [ConfiguredServer], _ fileRelays: [ConfiguredServer], _ machine: MachineID?
    ) throws {
        try folder.create()
        let loop = try EventLoop()
        try loop.run {
            let core = try await LocalCore(folder, .creating, loop: loop, machine: machine)
            if !relays.isEmpty { _ = try await core.execute(SetServers(nil, relays)) }
            if !fileRelays.isEmpty { _ = try await core.execute(SetFileServers(fileRelays)) }
            _ = try await core.execute(CreateProfile(Profile(displayName: "migration")))
            try await core.close()
        }
    }

    // MARK: - The link

    /// Uploads the archive unless file relays have it, prints the link, and waits for the other machine.
    func offer(_ record: MigrationRecord) throws -> ExitCode {
        let progress = FileProgress("uploading")
        let access = StoreOpener(invocation, isWriting: true, migrates: true) { progress.note($0) }
        return try access.run(onTransfersOf: folder) { session in
            var record = record
            if let end = record.expiresAt, end < MigrationRun.now, record.stage == .offered {
                try await withdrawFiles(session)
                record = try take(.expired, record)
            }
            if record.stage == .uploading { record = try await upload(record, session, progress) }
            let report = MigrationReport(folder, record)
            if let link = record.link { try LinkPicture.show(link, invocation) }
            try invocation.print(report)
            invocation.note(
                record.isForApp
                    ? "in the app: Migrate from another device" : "on the other machine: tacit migrate from LINK")
            guard !invocation[MigrateCommand.noWait] else { return .ok }
            return try await waitForReport(record, session)
        }
    }

    private func upload(
        _ record: MigrationRecord, _ session: CommandSession, _ progress: FileProgress
    ) async throws -> MigrationRecord {
        let profile = try await session.execute(ShowActiveProfile()).profile.id
        let known = try await session.execute(ListFiles(profile)).files.last { $0.isSent && !$0.file.state.hasEnded }
        let id: ChatFileID
        if let known {
            id = known.file.id
        } else {
            id = try await session.execute(UploadFile(profile, folder.archive)).file.id
        }
        session.progress.start { progress.step }
        _ = try await session.execute(WaitForFile(id, timeout: invocation[MigrateCommand.stall]))
        session.progress.stop()
        let listed = try await session.execute(ShowFile(id)).file
        guard listed.file.state == .sentComplete, let archive = listed.links.first else {
            throw Reason.migrationDelayed(listed.file.state)
        }
        // It is a convenience: without it, a person says that the store has arrived.
        let relays = try await session.execute(ListServers(profile)).groups.flatMap(\.servers)
        let invitation =
            relays.isEmpty || record.isForApp
            ? nil : try? await session.execute(Invite(profile, name: nil), before: .now + MigrationRun.courtesy)
        let network = MigrationLink.Network(try NetworkVariables.settings(invocation))
        guard let link = MigrationLink(archive, network: network, report: invitation?.link.preferred) else {
            throw Reason.bug
        }
        var record = record
        record.link = link.text
        record.report = invitation?.connection.id.number
        return try take(.uploaded, record)
    }

    /// Waits until the other machine has used the invitation of the link.
    private func waitForReport(_ record: MigrationRecord, _ session: CommandSession) async throws -> ExitCode {
        guard let number = record.report else {
            invocation.note("when the store works there: tacit migrate finish")
            return .ok
        }
        let deadline = ContinuousClock.now + invocation[MigrateCommand.timeout]
        let receiving = Task(executorPreference: session.host.loop) {
            _ = try await session.execute(ReceiveMessages())
        }
        defer { receiving.cancel() }
        session.progress.start { "waiting for the other machine" }
        while ContinuousClock.now < deadline {
            let waiting = try await session.execute(ListInvitations(nil)).connections
            guard waiting.contains(where: { $0.id.number == number && $0.status == .new }) else {
                session.progress.stop()
                let record = try take(.reported, record)
                try invocation.print(done: MigrationReport(folder, record))
                noteFinish()
                return .ok
            }
            await session.host.pause(.milliseconds(300))
        }
        session.progress.stop()
        throw Reason.migrationUnreported
    }

    // MARK: - The end

    /// Deletes the uploaded archive and the store.
    func delete(_ record: MigrationRecord) throws -> ExitCode {
        try withdrawFiles()
        let lock = try access.lock(folder.store)
        defer { withExtendedLifetime(lock) {} }
        try StoreErasure.removeStore(folder.store)
        _ = try folder.take(.completed, in: record)
        try invocation.print(done: MigrationReport(folder, nil, .finished))
        return .ok
    }

    /// Deletes the uploaded archive, and makes the store usable again.
    func withdraw(_ record: MigrationRecord) throws -> ExitCode {
        let store = try access.existingFolder()
        let claim = try access.claim(store), key = claim.key
        defer { withExtendedLifetime(claim) {} }
        try withdrawFiles()
        try StoreFreeze.end(in: store, key: key, machine: invocation.machine)
        _ = try folder.take(.completed, in: record)
        try invocation.print(done: MigrationReport(folder, nil, .cancelled))
        if record.mayBeElsewhere {
            invocation.warn("do not use the store on the other machine; if it was used: tacit contact resync")
        }
        return .ok
    }

    /// Deletes the uploaded archive at the file relays, as far as they can be reached.
    private func withdrawFiles() throws {
        guard folder.transfer.exists else { return }
        try access.run(onTransfersOf: folder) { session in
            // What a crash left of making it has no profile, and no files.
            guard try await !session.profiles().isEmpty else { return }
            try await withdrawFiles(session)
        }
    }

    private func withdrawFiles(_ session: CommandSession) async throws {
        let files = try await session.execute(ListFiles()).files.filter { $0.isSent && !$0.file.state.hasEnded }
        for file in files { _ = try await session.execute(CancelFile(file.file.id)) }
        session.progress.start { "deleting the uploaded archive" }
        try await session.host.local?.settleFiles(within: MigrationRun.courtesy)
        session.progress.stop()
    }
}

extension FileState {
    /// True if the transfer has failed or was cancelled.
    var hasEnded: Bool {
        switch self {
        case .sentError, .sentCancelled, .receivedError, .receivedCancelled, .aborted, .offered: true
        default: false
        }
    }
}
