import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// `tacit db rekey`
enum DatabaseRekeyCommand {
    static let leaf: Leaf = .init(
        Command(
            "db rekey", "Give the store another key", promise: "the new key opens the store, and the old one does not",
            store: .none, options: NextKey.options,
            examples: [
                Example("tacit db rekey", "Type a new passphrase"),
                Example("tacit db rekey --new-key-file ~/.config/tacit/key", "From a passphrase to a key file"),
                Example(
                    "tacit db rekey --key-file old.key --new-passphrase-file words.txt", "Without a terminal"),
            ],
            exits: [65, 66, 71, 73, 77], reports: KeyReport.forms, topics: ["keys"],
            discussion: """
                Takes a moment, however large the store is: what encrypts the pages stays, and is wrapped with the new key. So \
                whoever has the old key and a copy of the files from before can read what was written later as well, if the files \
                fall into his hands again. 'tacit db decrypt' followed by 'tacit db encrypt' changes everything.

                It may be interrupted at any moment: the store opens with one of the two keys, or for an instant with both, and \
                the next command that writes finishes the change.
                """),
        isAlone: true, purpose: { _ in "change the key" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let access = StoreAccess(invocation, isWriting: true), folder = try access.ownFolder()
        guard try StoreProtection(of: folder) != nil else { throw Reason.notEncrypted }
        let next = try NextKey(invocation)
        // A key that was only kept does not say what it replaces, and who found the terminal open should not lock others out.
        let (lock, key) = try access.unlock(folder, allowsKept: false)
        defer { withExtendedLifetime(lock) {} }
        guard let key else { throw Reason.notEncrypted }
        try KeyChange.run(folder, from: key, to: try next.given(invocation))
        try invocation.print(done: KeyReport(deed: .rekey, keyFile: next.path))
        return .ok
    }
}
