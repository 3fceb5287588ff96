import ChatCore
import CommandKit
import TerminalKit

/// `tacit db encrypt`
enum DatabaseEncryptCommand {
    static let leaf: Leaf = .init(
        Command(
            "db encrypt", "Encrypt an unencrypted store", promise: "both databases are encrypted and on disk",
            store: .none, options: NextKey.options,
            examples: [
                Example("tacit db encrypt", "Encrypt with a passphrase"),
                Example("tacit db encrypt --new-key-file ~/.config/tacit/key", "Encrypt with a new key file"),
            ],
            exits: [65, 66, 71, 73, 77], reports: KeyReport.forms(of: .encrypt), topics: ["keys"],
            discussion: """
                Both databases are rewritten, which needs as much space again, and replace the old ones together or not at \
                all. Unencrypted data can remain in disk blocks that the file system has not reused; on most disks no program \
                can prevent that.
                """),
        isAlone: true, purpose: { _ in "encrypt the store" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let access = StoreOpener(invocation, isWriting: true), folder = try access.ownFolder()
        func checkIsPlain() throws {
            guard try StoreProtection(of: folder) == nil else {
                throw Reason.alreadyEncrypted
            }
        }
        if !folder.hasUnfinishedChange { try checkIsPlain() }
        let next = try NextKey(invocation)
        let lock = try access.lock(folder)
        defer { withExtendedLifetime(lock) {} }
        _ = try folder.finishChanges()
        try checkIsPlain()
        let given = try next.given(invocation)
        let progress = StepDisplay(invocation)
        try StoreConversion.encrypt(folder, for: given) { done, all in
            progress.show("encrypting database \(done + 1) of \(all)")
        }
        progress.hide()
        try invocation.print(done: KeyReport(action: .encrypt, keyFile: next.path))
        return .ok
    }
}
