import ChatCore
import CommandKit
import TerminalKit

/// The passphrase that an archive has besides the key of the store.
enum ArchivePassphrase {
    static let asked = Option<Bool>(
        flag: "passphrase", "Prompt for a passphrase that also opens the archive", isCommon: true)
    static let file = Option<String?>(
        "passphrase-file", "Read the archive passphrase from this file", .path()
    ).withoutSetting
    static let descriptor = Option<Int?>(
        "passphrase-fd", "Read the archive passphrase from file descriptor FD", .count("FD", in: 0...65535)
    ).withoutSetting

    /// Where the passphrase is read from, if not from a terminal.
    static func source(_ invocation: Invocation) -> KeySource? {
        if let path = invocation[file] { return .file(path) }
        return invocation[descriptor].map { .descriptor(Int32($0)) }
    }

    /// A passphrase for a new archive; nil if it is to have none.
    ///
    /// - Parameters:
    ///   - line: The command that reads it from a file.
    ///   - isRequired: Whether it is prompted for even if no option asks for that.
    static func new(_ invocation: Invocation, line: [String], isRequired: Bool = false) throws -> GivenKey? {
        if let source = source(invocation) { return try source.read(invocation) }
        guard invocation[asked] || isRequired else { return nil }
        guard let prompt = KeyPrompt(invocation) else {
            throw Reason.archivePassphraseMissing(line)
        }
        return try prompt.newPassphrase()
    }
}

/// Where the key of a store is: copies of the store do not contain it.
struct KeyPlace {
    /// A noun.
    let text: String
    /// The end of a sentence that begins with the key.
    let sentence: String

    /// Nil if the store is not encrypted.
    init?(_ invocation: Invocation, _ folder: StoreFolder) throws {
        guard let protection = try StoreProtection(of: folder) else { return nil }
        let source = try KeySource.named(invocation) ?? (protection.hasKeyFile ? KeySource.own(invocation) : nil)
        switch source {
        case .file?, .ownFile?, .credential?, .variable?:
            text = source?.place ?? ""
            sentence = "it is in \(text)"
        case let source?:
            text = source.place
            sentence = "it came from \(text)"
        case nil:
            text = protection.hasKeyFile ? "the key file of the store" : "the passphrase of the store"
            sentence = "it is \(text)"
        }
    }
}
