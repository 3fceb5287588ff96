import ChatCore
import CommandKit
import Host
import TerminalKit

/// `tacit db decrypt`
enum DatabaseDecryptCommand {
    static let leaf: Leaf = .init(
        Command(
            "db decrypt", "Remove the encryption of the store", promise: "both databases are unencrypted and on disk",
            store: .none,
            options: [yes], examples: [Example("tacit db decrypt --yes", "Decrypt the store without a prompt")],
            exits: [64, 65, 66, 71, 77], reports: KeyReport.forms(of: .decrypt), topics: ["keys"],
            discussion: """
                Use this to open the databases with other programs, or on a disk that is fully encrypted. Both databases are \
                rewritten, which needs as much space again, and replace the encrypted ones together or not at all.
                """),
        isAlone: true, purpose: { _ in "decrypt the store" }, run: run)

    static let yes = Option<Bool>(flag: "yes", "Do not prompt for confirmation", isCommon: true)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let access = StoreOpener(invocation, isWriting: true), folder = try access.ownFolder()
        if !folder.hasUnfinishedChange, try StoreProtection(of: folder) == nil { throw Reason.notEncrypted }
        guard try invocation[yes] || confirmed(invocation) else {
            throw Reason.unconfirmed(tries: [.init("tacit db decrypt --yes")])
        }
        let claim = try access.claim(folder, allowsKept: false), key = claim.key
        defer { withExtendedLifetime(claim) {} }
        guard let key else { throw Reason.notEncrypted }
        let protection = try StoreProtection(of: folder)
        let progress = StepDisplay(invocation)
        try StoreConversion.decrypt(folder, with: key) { done, all in
            progress.show("decrypting database \(done + 1) of \(all)")
        }
        progress.hide()
        protection?.forgetKey()
        try invocation.print(done: KeyReport(action: .decrypt, keyFile: nil))
        return .ok
    }

    private static func confirmed(_ invocation: Invocation) throws -> Bool {
        guard let terminal = try? ControllingTerminal(allowsQuestions: !invocation[GlobalOptions.noInput])
        else { return false }
        return try terminal.confirm("Anyone with access to the disk will be able to read the store. Continue?")
    }
}
