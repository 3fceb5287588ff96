import ChatCore
import CommandKit
import TerminalKit

/// `tacit message mark`
enum MessageMarkCommand {
    static let messages = Positional<[String]>(
        repeated: "ID|TARGET", "Messages, or conversations with all that is in them", .text("ID|TARGET"))

    static let leaf: Leaf = .init(
        Command(
            "message mark", "Mark messages as read", promise: "the marks are on disk", store: .writing,
            positionals: [messages],
            examples: [
                Example("tacit message mark m12", "A single message"),
                Example("tacit message mark @alice", "A whole conversation"),
            ],
            exits: [64, 67], topics: ["targets"],
            discussion: "The contact does not learn of it."),
        purpose: { _ in "mark messages as read" },
        body: { session in
            for word in session.invocation[messages] {
                if let id = ObjectID.item(from: word) {
                    try await session.change(session.marks(of: [try await session.item(id)]))
                } else if let target = Target(word) {
                    let contact = try await session.chat(target)
                    _ = try await session.execute(MarkChatRead(.reference(.direct(contact.id))))
                } else {
                    throw Reason.unknownMessage(word)
                }
            }
            return .ok
        })
}
