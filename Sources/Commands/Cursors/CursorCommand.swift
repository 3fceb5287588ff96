import ChatCore
import CommandKit
import TerminalKit

/// `tacit cursor`
enum CursorCommand {
    static let command = Command(
        noun: "cursor", "Manage read cursors", verbs: leaves.map(\.command),
        defaultVerb: "list")

    static let leaves = [
        CursorListCommand.leaf, CursorCommitCommand.leaf, CursorResetCommand.leaf, CursorDeleteCommand.leaf,
    ]

    /// The name of a cursor.
    static let name = Positional<String>("NAME", "Cursor name", .text("NAME"))

    /// A cursor in an error.
    static func quoted(_ name: String) -> String { UntrustedText(name).quoted }

    static func all(_ session: CommandSession) async throws -> [Cursor] {
        try await session.execute(ListCursors(try await session.profileID())).cursors
    }

    /// The cursor with a name.
    static func cursor(_ name: String, _ session: CommandSession) async throws -> Cursor {
        let all = try await all(session)
        guard let cursor = all.first(where: { $0.name == name }) else {
            throw Reason.unknownCursor(name, known: all.map(\.name))
        }
        return cursor
    }

    /// Moves a cursor and says where it is.
    static func move(
        _ name: String, in chat: ChatReference? = nil, _ move: CursorMove, _ session: CommandSession
    ) async throws -> Cursor {
        let command = MoveCursor(try await session.profileID(), name: name, in: chat, move)
        return try await session.execute(command).cursor
    }
}
