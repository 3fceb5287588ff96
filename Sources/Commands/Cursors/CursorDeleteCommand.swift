import ChatCore
import CommandKit
import TerminalKit

/// `tacit cursor delete`
enum CursorDeleteCommand {
    static let leaf: Leaf = .init(
        Command(
            "cursor delete", "Delete a cursor", promise: "the cursor is deleted from disk", store: .writing,
            positionals: [CursorCommand.name],
            examples: [Example("tacit cursor delete bot", "Delete a cursor; messages stay")], exits: [67],
            reports: CursorReport.forms),
        purpose: { "delete the cursor \(CursorCommand.quoted($0[CursorCommand.name]))" },
        body: { session in
            let name = session.invocation[CursorCommand.name]
            _ = try await CursorCommand.cursor(name, session)
            let cursor = try await session.execute(DeleteCursor(try await session.profileID(), name: name)).cursor
            try session.invocation.print(done: CursorReport(cursor: cursor, action: "deleted"))
            return .ok
        })
}
