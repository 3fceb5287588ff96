import ChatCore
import SystemIO
import TerminalKit

/// The key that a new store gets, decided before anything is made.
enum NewKey {
    /// A new random one, in a new file. Where one may be there by then it is used as it is: somebody has made it just now who was
    /// cut off, or will find this store.
    case newFile(String, mayBeThere: Bool = false)
    /// A key file that is left from another store, or from a start that was cut off before there was one.
    case oldFile(String)
    case source(KeySource)
    case typed(GivenKey)

    /// What the user wants; nil for a store that is not encrypted.
    init?(_ invocation: Invocation) throws {
        let path = invocation[InitCommand.newKeyFile]
        if invocation[InitCommand.noEncryption] {
            guard path == nil else {
                throw Failure.exclusive("'--new-key-file'", "'--no-encryption'")
            }
            return nil
        }
        if let path {
            let mayBeThere = invocation[InitCommand.ifMissing]
            guard mayBeThere || !Files.exists(path) else { throw Reason.keyExists(path) }
            self = Files.exists(path) ? .oldFile(path) : .newFile(path, mayBeThere: mayBeThere)
        } else if let source = try KeySource.named(invocation) {
            self = .source(source)
        } else {
            let path = try KeySource.ownPath(invocation)
            if let status = try? Files.status(path) {
                guard !status.isOpenToOthers else { throw Reason.openKeyFile(path) }
                self = .oldFile(path)
            } else if let prompt = NewKey.prompt(invocation) {
                self = .typed(try prompt.newPassphrase())
            } else {
                self = .newFile(path, mayBeThere: invocation[InitCommand.ifMissing])
            }
        }
    }

    /// The key of a store that is created without a question: a given one, or a random one in a file.
    init(unattended invocation: Invocation) throws {
        if let source = try KeySource.named(invocation) {
            self = .source(source)
        } else {
            self = .newFile(try KeySource.ownPath(invocation), mayBeThere: true)
        }
    }

    /// A person, if this was typed by one: a script that happens to run at a terminal is not asked.
    private static func prompt(_ invocation: Invocation) -> KeyPrompt? {
        Terminal(descriptor: 0).isTerminal && invocation.errors.traits.isTerminal ? KeyPrompt(invocation) : nil
    }

    /// The file with the key.
    var path: String? {
        switch self {
        case .newFile(let path, _), .oldFile(let path), .source(.file(let path)): path
        case .source, .typed: nil
        }
    }

    /// Reads the key, or makes it.
    func given(_ invocation: Invocation) throws -> GivenKey {
        switch self {
        case .newFile(let path, mayBeThere: true) where Files.exists(path): try NewKey.old(at: path, invocation)
        case .newFile(let path, _): try NewKey.create(at: path)
        case .oldFile(let path): try NewKey.old(at: path, invocation)
        case .source(let source): try source.read(invocation)
        case .typed(let key): key
        }
    }

    /// The key of another store, which is found by itself only if it is a random one.
    static func old(at path: String, _ invocation: Invocation) throws -> GivenKey {
        let given = try KeySource.ownFile(path).read(invocation)
        guard given.isRandom else {
            throw Reason.weakKey(path)
        }
        return given
    }

    /// Writes a new random key to a new file, and makes its folder if need be.
    static func create(at path: String) throws -> GivenKey {
        do throws(SystemError) {
            let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
            if !folder.isEmpty { try Files.createFolder(folder) }
            return try GivenKey.createFile(at: path)
        } catch {
            guard error.condition != .exists else { throw Reason.keyExists(path) }
            throw Reason.keyNotWritten(error, at: path)
        }
    }
}
