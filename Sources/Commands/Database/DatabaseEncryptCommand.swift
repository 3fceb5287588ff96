import ChatCore
import CommandKit
import TerminalKit

/// `tacit db encrypt`
enum DatabaseEncryptCommand {
    static let leaf: Leaf = .init(
        Command(
            "db encrypt", "Encrypt a store that is in clear", promise: "both databases are encrypted and on disk",
            store: .none, options: NextKey.options,
            examples: [
                Example("tacit db encrypt", "With a passphrase"),
                Example("tacit db encrypt --new-key-file ~/.config/tacit/key", "With a key file"),
            ],
            exits: [65, 66, 71, 73, 77], reports: KeyReport.forms, topics: ["keys"],
            discussion: """
                Both databases are written anew, which needs as much room again, and then take the places of the old ones, or \
                neither does. What the old ones held may stay on the disk where the system has not used the room again; no \
                program can change that on most disks of today.
                """),
        isAlone: true, purpose: { _ in "encrypt the store" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let access = StoreAccess(invocation, isWriting: true), folder = try access.ownFolder()
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
        try invocation.print(done: KeyReport(deed: .encrypt, keyFile: next.path))
        return .ok
    }
}
