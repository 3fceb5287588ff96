import ByteCoding
import ChatCore
import CommandKit
import Host
import SystemIO
import TerminalKit

/// An unfinished migration of the store of a command, and its steps. Each stage is on the disk before its work begins.
struct MigrationRun: Sendable {
    let invocation: Invocation
    let folder: MigrationFolder

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        folder = MigrationFolder(of: try invocation.storeFolder())
    }

    /// What opens the stores of the migration.
    var access: StoreOpener { StoreOpener(invocation, isWriting: true, migrates: true) }

    static var now: Timestamp { Timestamp(milliseconds: SystemClock.milliseconds()) }

    // MARK: - Requests

    /// Begins a migration to another machine.
    func begin() throws -> ExitCode {
        try checkNone()
        let store = try access.existingFolder()
        let claim = try access.claim(store), (lock, key) = (claim.lock, claim.key)
        try access.upgradeIfOlder(key)
        let freeze = try StoreFreeze(of: store, key: key, machine: invocation.machine)
        if let mark = freeze.mark { throw ChatError.frozen(mark) }
        if freeze.isCopy { invocation.warn(StoreOpener.copyWarning) }
        let record = MigrationRecord(
            sourceAt: MigrationRun.now,
            forApp: try ExportCommand.appVersion(
                invocation, isForApp: invocation[MigrateToCommand.format] == .official))
        let passphrase = try newPassphrase(key, record)
        try folder.sweep()
        try folder.save(record)
        return try proceed(try archive(record, store, lock, key, passphrase))
    }

    /// Begins a migration to this machine.
    func begin(from text: String, _ replaces: Bool) throws -> ExitCode {
        try checkNone()
        // Terminals break long lines.
        guard let link = MigrationLink(text: text.filter { !$0.isWhitespace }) else {
            throw ChatError.file(.invalidLink)
        }
        if !replaces { try StoreImport.checkEmpty(folder.store) }
        if let path = invocation[InitCommand.newKeyFile], Files.exists(path) { throw Reason.keyExists(path) }
        try checkRoute(link)
        try folder.sweep()
        let record = MigrationRecord(from: link.text, replaces: replaces, at: MigrationRun.now)
        try folder.save(record)
        return try proceed(record)
    }

    /// Continues from the stage that was reached.
    func resume() throws -> ExitCode {
        try proceed(try record())
    }

    /// Deletes the store that was moved.
    func finish() throws -> ExitCode {
        let record = try record()
        guard record.stage != .deleting else { return try proceed(record) }
        guard record.stage.successor(.confirmed) != nil else { throw Reason.migrationStage(record) }
        let report =
            record.stage == .moved
            ? "The other machine has the store." : "The other machine has not reported that it has the store."
        try Consent.require(
            StyledText("\(report) Delete it from this machine?"), "tacit migrate finish --yes", invocation,
            why: ["the store is deleted from this machine, and nothing brings it back"])
        return try proceed(try take(.confirmed, record))
    }

    /// Returns to the store on this machine, or deletes what was downloaded.
    func cancel() throws -> ExitCode {
        let record = try record()
        guard record.stage != .withdrawing else { return try proceed(record) }
        guard record.stage.successor(.cancelled) != nil else { throw Reason.migrationStage(record) }
        if let danger = MigrationRun.danger(record) {
            try Consent.require(
                StyledText("Careful: \(danger). Cancel the migration?"), "tacit migrate cancel --yes", invocation,
                why: [danger])
        }
        guard let next = try folder.take(.cancelled, in: record) else {
            try invocation.print(done: MigrationReport(folder, nil, .cancelled))
            return .ok
        }
        return try proceed(next)
    }

    /// What a person must agree to before a migration is cancelled, as the beginning of a sentence; nil if nothing is lost.
    private static func danger(_ record: MigrationRecord) -> String? {
        switch record.stage.side {
        case .destination: "the download is deleted, and its link does not work again"
        case .source where record.mayBeElsewhere:
            "if the other machine uses the store, messages are lost and conversations break"
        case .source: nil
        }
    }

    // MARK: - Steps

    /// Does the work of a stage and of those that follow it.
    func proceed(_ record: MigrationRecord) throws -> ExitCode {
        switch record.stage {
        case .archiving:
            let store = try access.existingFolder()
            let claim = try access.claim(store), (lock, key) = (claim.lock, claim.key)
            return try proceed(try archive(record, store, lock, key, try newPassphrase(key, record)))
        case .uploading, .offered: return try offer(record)
        case .moved:
            try invocation.print(done: MigrationReport(folder, record))
            noteFinish()
            return .ok
        case .deleting: return try delete(record)
        case .withdrawing: return try withdraw(record)
        case .downloading: return try proceed(try download(record))
        case .importing: return try importArchive(record)
        case .reporting: return try report(record, nil)
        }
    }

    /// Takes an event that does not end the migration.
    func take(_ event: MigrationEvent, _ record: MigrationRecord) throws -> MigrationRecord {
        guard let next = try folder.take(event, in: record) else { throw Reason.bug }
        return next
    }

    /// The unfinished migration.
    func record() throws -> MigrationRecord {
        guard let record = try folder.record() else { throw Reason.noMigration }
        return record
    }

    private func checkNone() throws {
        if let record = try folder.record() { throw Reason.unfinishedMigration(record) }
    }

    func noteFinish() {
        invocation.note("next: tacit migrate finish, which deletes the store from this machine")
    }

    private func newPassphrase(_ key: OpenedKey?, _ record: MigrationRecord) throws -> GivenKey? {
        let path = invocation.parsed.command.path
        let format = record.isForApp && path.last == "to" ? ExportCommand.options(for: record.appVersion) : []
        let passphrase = try ArchivePassphrase.new(
            invocation, line: ["tacit"] + path + format + ["--passphrase-file", "FILE"], isRequired: record.isForApp)
        if record.isForApp {
            guard passphrase?.suitsOfficialApps == true else { throw Reason.passphraseNotForApps }
        } else {
            guard passphrase == nil || key != nil else { throw Reason.notEncrypted }
        }
        return passphrase
    }
}
