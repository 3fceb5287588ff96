import ChatCore
import CommandKit
import SystemIO
import TerminalKit

/// The key that a store gets in place of another, or of none.
enum NextKey {
    case newFile(String)
    case source(KeySource)
    case typed(GivenKey)

    static let newKeyFile = Option<String?>(
        InitCommand.newKeyFile.declaration.name, "Write a new random key to this file", .path(),
        defaultText: "a new passphrase", isCommon: true)
    static let passphraseFile = Option<String?>(
        "new-passphrase-file", "Read the new passphrase or random key from this file", .path(),
        defaultText: "prompt at the terminal", isCommon: true)
    static let passphraseDescriptor = Option<Int?>(
        "new-passphrase-fd", "Read the new passphrase or random key from file descriptor FD",
        .count("FD", in: 0...65535))

    static let options: [any DeclaresOption] = [newKeyFile, passphraseFile, passphraseDescriptor]

    /// What the user wants; asks at the terminal if nothing is said.
    init(_ invocation: Invocation) throws {
        if let path = invocation[NextKey.newKeyFile] {
            guard !Files.exists(path) else { throw Reason.keyExists(path) }
            self = .newFile(path)
        } else if let path = invocation[NextKey.passphraseFile] {
            self = .source(.file(path))
        } else if let number = invocation[NextKey.passphraseDescriptor] {
            self = .source(.descriptor(Int32(number)))
        } else {
            guard let prompt = KeyPrompt(invocation) else {
                throw Reason.newKeyMissing(invocation.parsed.command)
            }
            self = .typed(try prompt.newPassphrase())
        }
    }

    /// The new file with the key.
    var path: String? {
        if case .newFile(let path) = self { path } else { nil }
    }

    /// Reads the key, or makes it.
    func given(_ invocation: Invocation) throws -> GivenKey {
        switch self {
        case .newFile(let path): try NewKey.create(at: path)
        case .source(let source): try source.read(invocation)
        case .typed(let key): key
        }
    }
}
