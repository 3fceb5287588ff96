import ChatCore
import CommandKit
import TerminalKit

/// `tacit cursor commit`
enum CursorCommitCommand {
    static let message = Positional<ChatItemID>("ID", "Id of the last processed message", ChatItemID.kind)

    static let leaf: Leaf = .init(
        Command(
            "cursor commit", "Advance a cursor past a message", promise: "the new position is on disk", store: .writing,
            positionals: [CursorCommand.name, message],
            examples: [
                Example(
                    "tacit cursor commit bot m12", "Commit m12 after 'tacit read --cursor bot --hold'"
                )
            ],
            exits: [67], reports: CursorReport.forms,
            discussion: "A commit never moves a cursor backwards."),
        purpose: { "move the cursor \(CursorCommand.quoted($0[CursorCommand.name]))" },
        body: { session in
            let name = session.invocation[CursorCommand.name]
            _ = try await CursorCommand.cursor(name, session)
            let cursor = try await CursorCommand.move(name, .past(session.invocation[message]), session)
            try session.invocation.print(done: CursorReport(cursor: cursor, action: "moved"))
            return .ok
        })
}
