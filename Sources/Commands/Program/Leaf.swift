import ChatCore
package import CommandKit
import TerminalKit

/// One command: how it is written, and what it does.
package struct Leaf: Sendable {
    package let command: Command
    /// What the command is about to do, as the end of the sentence "cannot ...".
    let purpose: @Sendable (Parsed) -> String
    /// Whether it needs the store for itself, and never runs on one that others have open.
    let isAlone: Bool
    /// Whether a session runs it all the same, whose person it asks for secrets.
    let worksInSessions: Bool
    let run: @Sendable (Invocation) throws -> ExitCode

    /// A command that opens no store, or opens it in its own way.
    init(
        _ command: Command, isAlone: Bool = false, worksInSessions: Bool = false,
        purpose: @escaping @Sendable (Parsed) -> String,
        run: @escaping @Sendable (Invocation) throws -> ExitCode
    ) {
        self.command = command
        self.isAlone = isAlone
        self.worksInSessions = worksInSessions
        self.purpose = purpose
        self.run = run
    }

    /// The command with these words.
    static func named(_ path: [String]) -> Leaf? {
        all.first { $0.command.path == path }
    }

    /// A command that does its work on the store, opened as its declaration says.
    init(
        _ command: Command, purpose: @escaping @Sendable (Parsed) -> String,
        body: @escaping @Sendable (CommandSession) async throws -> ExitCode
    ) {
        self.init(command, purpose: purpose) { invocation in
            try StoreOpener(invocation, isWriting: command.store == .writing).run(body)
        }
    }
}
