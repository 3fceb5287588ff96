import ChatCore
import CommandKit
import TerminalKit

/// `tacit db decrypt`
enum DatabaseDecryptCommand {
    static let leaf: Leaf = .init(
        Command(
            "db decrypt", "Write the store in clear", promise: "both databases are in clear and on disk", store: .none,
            options: [yes], examples: [Example("tacit db decrypt --yes", "Everybody with the disk can read it then")],
            exits: [64, 65, 66, 71, 77], reports: KeyReport.forms, topics: ["keys"],
            discussion: """
                For taking a store apart with other programs, or for a disk that is encrypted as a whole. Both databases are \
                written anew, which needs as much room again, and then take the places of the encrypted ones, or neither does.
                """),
        isAlone: true, purpose: { _ in "decrypt the store" }, run: run)

    static let yes = Option<Bool>(flag: "yes", "Do it without asking", isCommon: true)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let access = StoreAccess(invocation, isWriting: true), folder = try access.ownFolder()
        if !folder.hasUnfinishedChange, try StoreProtection(of: folder) == nil { throw Reason.notEncrypted }
        guard try invocation[yes] || confirmed(invocation) else {
            throw Reason.unconfirmed(tries: [.init("tacit db decrypt --yes")])
        }
        let (lock, key) = try access.unlock(folder, allowsKept: false)
        defer { withExtendedLifetime(lock) {} }
        guard let key else { throw Reason.notEncrypted }
        let protection = try StoreProtection(of: folder)
        let progress = StepDisplay(invocation)
        try StoreConversion.decrypt(folder, with: key) { done, all in
            progress.show("decrypting database \(done + 1) of \(all)")
        }
        progress.hide()
        protection?.forgetKey()
        try invocation.print(done: KeyReport(deed: .decrypt, keyFile: nil))
        return .ok
    }

    private static func confirmed(_ invocation: Invocation) throws -> Bool {
        guard let terminal = try? ControllingTerminal(allowsQuestions: !invocation[GlobalOptions.noInput])
        else { return false }
        return try terminal.confirm("Everybody with the disk will be able to read the store. Go on?")
    }
}
