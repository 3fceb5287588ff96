import ChatCore
import CommandKit
import SystemIO
import TerminalKit

/// A first start, which has no store yet.
extension SessionStart {
    /// Where the key of a new store comes from.
    public enum FirstKey: Sendable {
        /// From where it is found by itself, see ``keyPlace``.
        case given
        /// A person types it twice.
        case passphrase
        /// A random one, in ``keyFilePath``.
        case newFile
    }

    /// Whether there is a store, or half of one that an import has to put into place.
    public var hasStore: Bool {
        get throws {
            let folder = try invocation.storeFolder()
            return folder.exists || StoreReplacement.isPending(in: folder)
        }
    }

    /// Whether a person may be asked.
    public var allowsQuestions: Bool { !invocation[GlobalOptions.noInput] }

    public var storePath: String {
        get throws { try invocation.storeFolder().path }
    }

    /// Where the key of a new store is found by itself, in words; nil if a person has to choose.
    public var keyPlace: String? {
        get throws { try (KeySource.named(invocation) ?? KeySource.own(invocation))?.place }
    }

    /// The file of a new random key.
    public var keyFilePath: String {
        get throws { try KeySource.ownPath(invocation) }
    }

    /// Makes a store without a profile, as `init` does. What opens it is known to the result: nobody has to type it again.
    ///
    /// - Throws: ``MistypedKey`` if a passphrase is empty, or another one the second time.
    public func makingStore(_ source: FirstKey) throws -> SessionStart {
        var start = self
        do {
            let key = try key(source)
            let folder = try invocation.storeFolder()
            let contents = InitCommand.Contents(stage: .profile)
            start.freshKey = try InitCommand.make(folder, key, contents, invocation)?.key
        } catch let reason as Reason where ["key.empty", "key.typing"].contains(reason.code) && source == .passphrase {
            throw MistypedKey(text: reason.text)
        }
        return start
    }

    private func key(_ source: FirstKey) throws -> NewKey {
        switch source {
        case .given:
            if let named = try KeySource.named(invocation) { return .source(named) }
            return .oldFile(try keyFilePath)
        case .newFile: return .newFile(try keyFilePath)
        case .passphrase:
            guard let prompt = KeyPrompt(invocation) else { throw Reason.keyMissing }
            return .typed(try prompt.newPassphrase())
        }
    }
}

/// A passphrase was not typed as it has to be.
public struct MistypedKey: Error {
    /// What was wrong, without a period at its end.
    public let text: String
}
