import ChatCore
import SystemIO
import TerminalKit

/// Finds what opens a store: from the source that was named, from the keyring, from the key file that `init` made, or from
/// a person.
struct KeySearch {
    private let invocation: Invocation
    private let folder: StoreFolder

    /// How often a person may type a passphrase.
    private static let attempts = 3

    init(_ invocation: Invocation, _ folder: StoreFolder) {
        self.invocation = invocation
        self.folder = folder
    }

    /// The key; nil if the store is not encrypted.
    ///
    /// - Parameter allowsKept: Whether the key that `unlock` kept will do.
    func key(allowsKept: Bool = true) throws -> OpenedKey? {
        guard let protection = try StoreProtection(of: folder) else { return nil }
        if let source = try KeySource.named(invocation) {
            let given = try source.read(invocation)
            // What was named is meant: nothing else is tried.
            do { return try protection.open(with: given) } catch ChatError.database(.wrongKey) {
                throw Reason.wrongKey(from: source.place, besides: try otherFile(than: source))
            }
        }
        if allowsKept, let kept = protection.keptKey() { return kept }
        if protection.hasKeyFile, let source = try KeySource.own(invocation) {
            let given = try source.read(invocation)
            do {
                return try protection.open(with: given)
            } catch ChatError.database(.wrongKey) {
                guard let key = try ask(protection) else {
                    throw Reason.wrongKey(from: source.place, besides: try otherFile(than: source))
                }
                return key
            }
        }
        guard let key = try ask(protection) else { throw Reason.keyMissing }
        return key
    }

    /// A key file that was not read, in the folder of the configuration or of the store; nil if there is none.
    private func otherFile(than source: KeySource) throws -> String? {
        let read: String? =
            switch source {
            case .file(let path), .ownFile(let path): path
            default: nil
            }
        return [try KeySource.ownPath(invocation), "\(folder.path)/key"].first { path in
            Files.exists(path) && read.map { !KeySource.areSame($0, path) } ?? true
        }
    }

    /// Asks a person; nil if there is nobody to ask.
    private func ask(_ protection: StoreProtection) throws -> OpenedKey? {
        guard let prompt = KeyPrompt(invocation) else { return nil }
        for attempt in 1...KeySearch.attempts {
            do {
                guard let given = try prompt.passphrase("Passphrase of the store") else { continue }
                return try protection.open(with: given)
            } catch ChatError.database(.wrongKey) {
                if attempt < KeySearch.attempts { invocation.warn("wrong passphrase") }
            } catch let error as PromptError {
                throw Reason(error)
            }
        }
        throw Reason.wrongKey(from: "the terminal")
    }
}
