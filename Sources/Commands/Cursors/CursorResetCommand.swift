import ChatCore
import CommandKit
import TerminalKit

/// `tacit cursor reset`
enum CursorResetCommand {
    /// Where to.
    enum Place: Hashable, Sendable {
        case start, end
        case message(ChatItemID)

        init?(_ word: String) {
            switch word {
            case "start": self = .start
            case "end": self = .end
            default:
                guard let id = ObjectID.item(from: word) else { return nil }
                self = .message(id)
            }
        }

        var word: String {
            switch self {
            case .start: "start"
            case .end: "end"
            case .message(let id): ObjectID.text(id)
            }
        }

        fileprivate var move: CursorMove {
            switch self {
            case .start: .start
            case .end: .end
            case .message(let id): .to(id)
            }
        }
    }

    static let place = Option<Place>(
        "to", "Message to move past, or start or end of all messages",
        ValueKind(
            ValueForm("ID|start|end", expected: "an id such as m12, start or end"), read: { Place($0) },
            write: { $0.word }),
        default: .start, isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "cursor reset", "Move a cursor to any position", promise: "the new position is on disk", store: .writing,
            positionals: [CursorCommand.name], options: [place],
            examples: [
                Example("tacit cursor reset bot --to end", "Skip all messages so far; creates the cursor if needed"),
                Example("tacit cursor reset bot", "Read all messages again"),
            ],
            exits: [67], reports: CursorReport.forms),
        purpose: { "move the cursor \(CursorCommand.quoted($0[CursorCommand.name]))" },
        body: { session in
            let invocation = session.invocation
            let cursor = try await CursorCommand.move(
                invocation[CursorCommand.name], invocation[place].move, session)
            try invocation.print(done: CursorReport(cursor: cursor, action: "moved"))
            return .ok
        })
}
