import ChatCore
import CommandKit
import SystemIO
import TerminalKit

/// Finds what opens an archive, and where the key of the store goes that it becomes.
final class ArchiveKey {
    private let invocation: Invocation
    /// What a named source had: a descriptor is read only once.
    private var named: GivenKey?
    /// The file with the key of the store, where it is known.
    private(set) var path: String?
    /// True if the key is a new one, which the user has not seen before.
    private(set) var isNew = false

    /// How often a person may type a passphrase.
    private static let attempts = 3

    /// The command line that opens the archive, for advice.
    struct Line: Hashable {
        let command: [String]
        var arguments: [String] = []

        /// The line with options.
        func words(_ options: String...) -> [String] { ["tacit"] + command + options + arguments }
    }

    private let line: Line

    init(_ invocation: Invocation, _ line: Line) {
        self.invocation = invocation
        self.line = line
    }

    /// The key of the databases that were in an archive; nil if they are not encrypted.
    func open(_ folder: StoreFolder) throws -> OpenedKey? {
        guard let protection = try StoreProtection(of: folder) else { return nil }
        if let source = ArchivePassphrase.source(invocation) {
            guard protection.hasArchivePassphrase else { throw Reason.noArchivePassphrase }
            guard let key = try open(protection, try source.read(invocation)) else {
                throw Reason.wrongPassphrase(from: source.place)
            }
            return key
        }
        guard protection.hasArchivePassphrase else { return try search(folder) }
        if let key = try keyAtHand(protection) { return key }
        guard let prompt = KeyPrompt(invocation) else {
            throw Reason.archiveLocked(line, invocation, hasPassphrase: true)
        }
        for attempt in 1...ArchiveKey.attempts {
            do {
                guard let given = try prompt.passphrase("Passphrase of the archive") else { continue }
                if let key = try open(protection, given) { return key }
                if attempt < ArchiveKey.attempts { invocation.warn("wrong passphrase") }
            } catch let error as PromptError {
                throw Reason(error)
            }
        }
        throw Reason.wrongPassphrase(from: "the terminal")
    }

    /// The passphrase of an encrypted archive of an official app.
    ///
    /// - Parameter wrongAttempts: How often another one was given.
    func officialPassphrase(_ wrongAttempts: Int) throws -> GivenKey? {
        if let source = ArchivePassphrase.source(invocation) {
            guard wrongAttempts == 0 else { throw Reason.wrongPassphrase(from: source.place) }
            return try source.read(invocation)
        }
        guard let prompt = KeyPrompt(invocation) else {
            throw Reason.officialArchiveNeedsPassphrase(line)
        }
        guard wrongAttempts < ArchiveKey.attempts else { throw Reason.wrongPassphrase(from: "the terminal") }
        if wrongAttempts > 0 { invocation.warn("wrong passphrase") }
        do {
            return try prompt.passphrase("Passphrase of the archive")
        } catch let error as PromptError {
            throw Reason(error)
        }
    }

    private func open(_ protection: StoreProtection, _ given: GivenKey) throws -> OpenedKey? {
        do { return try protection.open(with: given) } catch ChatError.database(.wrongKey) { return nil }
    }

    /// An archive that only the key of the store opens.
    private func search(_ folder: StoreFolder) throws -> OpenedKey? {
        do {
            let key = try KeySearch(invocation, folder).key()
            path = try keyFile()
            return key
        } catch let reason as Reason where reason.code == Reason.keyMissing.code {
            throw Reason.archiveLocked(line, invocation, hasPassphrase: false)
        }
    }

    /// The key of the exported store, if it is on this machine.
    private func keyAtHand(_ protection: StoreProtection) throws -> OpenedKey? {
        if let source = try namedSource() {
            let given = try source.read(invocation)
            named = given
            guard let key = try open(protection, given) else { return nil }
            path = try keyFile()
            return key
        }
        if let kept = protection.keptKey() { return kept }
        guard protection.hasKeyFile, let source = try KeySource.own(invocation) else { return nil }
        let key = try open(protection, try source.read(invocation))
        if key != nil { path = try keyFile() }
        return key
    }

    /// The source of the key that the user has named. A file that is not there yet is where the key is to go.
    private func namedSource() throws -> KeySource? {
        guard let source = try KeySource.named(invocation) else { return nil }
        if case .file(let path) = source, !Files.exists(path) { return nil }
        return source
    }

    /// The file in which the key of the store is looked for.
    private func keyFile() throws -> String? {
        switch try KeySource.named(invocation) {
        case .file(let path)?: path
        case nil: try KeySource.own(invocation).map { _ in try KeySource.ownPath(invocation) }
        default: nil
        }
    }

    /// The key of the store that only the passphrase of its archive opened: what is named as its key, or else a new random one,
    /// in the file in which `init` would put it.
    func make() throws -> GivenKey {
        if let path = invocation[InitCommand.newKeyFile] { return try create(path) }
        switch try KeySource.named(invocation) {
        case .file(let path)? where !Files.exists(path): return try create(path)
        case .file(let path)?:
            self.path = path
            return try named ?? KeySource.file(path).read(invocation)
        case let source?: return try named ?? source.read(invocation)
        case nil: break
        }
        let path = try KeySource.ownPath(invocation)
        guard Files.exists(path) else { return try create(path) }
        self.path = path
        return try NewKey.old(at: path, invocation)
    }

    private func create(_ path: String) throws -> GivenKey {
        self.path = path
        isNew = true
        return try NewKey.create(at: path)
    }
}

extension Reason {
    /// An archive without anything to open it with.
    fileprivate static func archiveLocked(
        _ line: ArchiveKey.Line, _ invocation: Invocation, hasPassphrase: Bool
    ) -> Reason {
        guard !hasPassphrase else { return .archiveNeedsPassphrase(line) }
        return .archiveNeedsKey(line, place: (try? KeySource.ownPath(invocation)) ?? "~/.config/tacit/key")
    }
}
