import ChatCore
import CommandKit
import TerminalKit

/// `tacit cursor commit`
enum CursorCommitCommand {
    static let message = Positional<ChatItemID>("ID", "The last message that was dealt with", ChatItemID.kind)

    static let leaf: Leaf = .init(
        Command(
            "cursor commit", "Move a cursor past a message", promise: "the new place is on disk", store: .writing,
            positionals: [CursorCommand.name, message],
            examples: [
                Example(
                    "tacit cursor commit bot m12", "After 'tacit read --cursor bot --hold' printed m12, and it was done"
                )
            ],
            exits: [67], reports: CursorReport.forms,
            discussion: "A cursor never moves back this way: what was committed before stays committed."),
        purpose: { "move the cursor \(CursorCommand.quoted($0[CursorCommand.name]))" },
        body: { session in
            let name = session.invocation[CursorCommand.name]
            _ = try await CursorCommand.cursor(name, session)
            let cursor = try await CursorCommand.move(name, .past(session.invocation[message]), session)
            try session.invocation.print(done: CursorReport(cursor: cursor, deed: "moved"))
            return .ok
        })
}
