import ChatCore
import CommandKit
import TerminalKit

/// `tacit message show`
enum MessageShowCommand {
    static let messages = Positional<[ChatItemID]>(repeated: "ID", "Message ids", ChatItemID.kind)

    static let leaf: Leaf = .init(
        Command(
            "message show", "Show messages by id", promise: "the messages were printed", store: .reading,
            positionals: [messages],
            examples: [Example("tacit message show m12 --json", "Print all fields of a message")],
            exits: [67], reports: MessageReport.forms),
        purpose: { _ in "show the message" },
        body: { session in
            var reports: [MessageReport] = []
            for id in session.invocation[messages] {
                let located = try await session.item(id)
                reports.append(MessageReport(located.chat, located.item, showsDeleted: true))
            }
            try session.invocation.print(list: reports)
            return .ok
        })
}
