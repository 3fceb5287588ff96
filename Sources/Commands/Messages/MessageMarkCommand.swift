import ChatCore
import CommandKit
import TerminalKit

/// `tacit message mark`
enum MessageMarkCommand {
    static let messages = Positional<[String]>(
        repeated: "ID|TARGET", "Message ids, or conversations to mark completely", .text("ID|TARGET"))

    static let leaf: Leaf = .init(
        Command(
            "message mark", "Mark messages as read", promise: "the messages are marked on disk", store: .writing,
            positionals: [messages],
            examples: [
                Example("tacit message mark m12", "Mark one message"),
                Example("tacit message mark @alice", "Mark a whole conversation"),
            ],
            exits: [64, 67], topics: ["targets"],
            discussion: "The sender is not told."),
        purpose: { _ in "mark messages as read" },
        body: { session in
            for word in session.invocation[messages] {
                if let id = ObjectID.item(from: word) {
                    try await session.change(session.marks(of: [try await session.item(id)]))
                } else if let target = Target(word) {
                    let chat = try await session.chat(target)
                    _ = try await session.execute(MarkChatRead(.reference(chat.reference)))
                    // The mark of the user stays in the API.
                    if chat.marks.isUnread {
                        _ = try await session.execute(MarkChatUnread(.reference(chat.reference), false))
                    }
                } else {
                    throw Reason.unknownMessage(word)
                }
            }
            return .ok
        })
}
