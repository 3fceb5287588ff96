import ChatCore
import CommandKit
import SystemIO
import TerminalKit

/// The first start, without a store.
extension SessionStart {
    /// The source of the key of a new store.
    public enum FirstKey: Sendable {
        /// The place where the program looks for it, see ``keyPlace``.
        case given
        /// A passphrase that is typed twice.
        case passphrase
        /// A random one, in ``keyFilePath``.
        case newFile
    }

    /// True if there is a store, or one that an unfinished import has to put into place.
    public var hasStore: Bool {
        get throws {
            let folder = try invocation.storeFolder()
            return folder.exists || StoreReplacement.isPending(in: folder)
        }
    }

    /// True if questions may be asked.
    public var allowsQuestions: Bool { !invocation[GlobalOptions.noInput] }

    public var storePath: String {
        get throws { try invocation.storeFolder().path }
    }

    /// The place where the program looks for the key of a new store; nil if a person has to choose.
    public var keyPlace: String? {
        get throws { try (KeySource.named(invocation) ?? KeySource.own(invocation))?.place }
    }

    /// The file of a new random key.
    public var keyFilePath: String {
        get throws { try KeySource.ownPath(invocation) }
    }

    /// Creates a store without a profile, as `init` does. The result holds its key.
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

/// A passphrase that is empty, or that differs the second time.
public struct MistypedKey: Error {
    /// The mistake, without a final period.
    public let text: String
}
