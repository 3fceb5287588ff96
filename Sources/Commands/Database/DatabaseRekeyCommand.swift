import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// `tacit db rekey`
enum DatabaseRekeyCommand {
    static let leaf: Leaf = .init(
        Command(
            "db rekey", "Change the key of the store", promise: "only the new key opens the store",
            store: .none, options: NextKey.options,
            examples: [
                Example("tacit db rekey", "Set a new passphrase"),
                Example("tacit db rekey --new-key-file ~/.config/tacit/key", "Change from a passphrase to a key file"),
                Example(
                    "tacit db rekey --key-file old.key --new-passphrase-file words.txt",
                    "Change the key without a terminal"),
            ],
            exits: [65, 66, 71, 73, 77], reports: KeyReport.forms(of: .rekey), topics: ["keys"],
            discussion: """
                Changes only the wrapping of the page key, so it takes a moment even for a large store. An attacker with the \
                old key and an old copy of the files can therefore also read later files of this store. To change the page key \
                too, run 'tacit db decrypt', then 'tacit db encrypt'.

                The change survives interruption: one of the two keys opens the store, for an instant both, and the next \
                command that writes completes the change.
                """),
        isAlone: true, purpose: { _ in "change the key" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let access = StoreOpener(invocation, isWriting: true), folder = try access.ownFolder()
        guard try StoreProtection(of: folder) != nil else { throw Reason.notEncrypted }
        let next = try NextKey(invocation)
        // A key that was only kept does not say what it replaces, and who found the terminal open should not lock others out.
        let (lock, key) = try access.unlock(folder, allowsKept: false)
        defer { withExtendedLifetime(lock) {} }
        guard let key else { throw Reason.notEncrypted }
        try KeyChange.run(folder, from: key, to: try next.given(invocation))
        try invocation.print(done: KeyReport(action: .rekey, keyFile: next.path))
        return .ok
    }
}
