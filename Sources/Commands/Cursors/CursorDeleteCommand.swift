import ChatCore
import CommandKit
import TerminalKit

/// `tacit cursor delete`
enum CursorDeleteCommand {
    static let leaf: Leaf = .init(
        Command(
            "cursor delete", "Forget a cursor", promise: "the cursor is gone from the disk", store: .writing,
            positionals: [CursorCommand.name],
            examples: [Example("tacit cursor delete bot", "Messages stay as they are")], exits: [67],
            reports: CursorReport.forms),
        purpose: { "delete the cursor \(CursorCommand.quoted($0[CursorCommand.name]))" },
        body: { session in
            let name = session.invocation[CursorCommand.name]
            _ = try await CursorCommand.cursor(name, session)
            let cursor = try await session.execute(DeleteCursor(try await session.profileID(), name: name)).cursor
            try session.invocation.print(done: CursorReport(cursor: cursor, deed: "deleted"))
            return .ok
        })
}
