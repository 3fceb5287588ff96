import ChatCore
import ChatProtocol
import CommandKit
import TerminalKit

/// `tacit message edit`
enum MessageEditCommand {
    static let message = Positional<MessageName>(
        "ID", "Id of a message sent in the last 24 hours; last is the newest sent message", MessageName.kind)
    static let text = Positional<String?>(
        optional: "TEXT|-", "New text; - reads standard input", .text())

    static let leaf: Leaf = .init(
        Command(
            "message edit", "Edit a sent message", promise: ChangeDelivery.promise, store: .writing,
            positionals: [message, text], options: [MessageName.chat, ChangeDelivery.wait, ChangeDelivery.timeout],
            examples: [
                Example("tacit message edit m12 'see you at 10'", "Correct a time"),
                Example("tacit message edit last 'see you at 10' --in @alice", "Correct the newest message to alice"),
                Example("date | tacit message edit m12 -", "Replace the text with the output of a program"),
            ],
            exits: [64, 65, 67, 68, 69, 75, 79], reports: ChangeReport.forms,
            discussion: "Recipients see that the message was edited, and may have read the old text."),
        purpose: { "edit the message '\($0[message].word)'" },
        run: { invocation in
            let text = try MessageText.read(invocation[text], invocation, usage: "message edit ID")
            return try StoreOpener(invocation, isWriting: true).run { try await edit(text, $0) }
        })

    private static func edit(_ text: String, _ session: CommandSession) async throws -> ExitCode {
        guard !text.isEmpty else { throw ChatError.emptyMessage }
        let located = try await session.message(message, .sent)
        let chat = ChatTarget.reference(located.item.chat)
        var text = text, mentions: [String: GroupMemberID] = [:]
        if let group = located.chat.group {
            let names = try await session.mentions(in: text, of: group)
            (text, mentions) = (names.text, names.members)
        }
        let edited = try await session.execute(
            EditItem(chat, located.item.id, located.item.content(saying: text), mentions: mentions))
        let item = edited.item
        // Also without a change: an earlier edit may wait in the outbox, and 0 promises that the relay has it.
        return try await ChangeDelivery(chat: item.chat, session: session).finish(
            [ChangeReport(action: edited.isChanged ? .edited : .unchanged, located: item)],
            during: "tell \(item.chat.target)")
    }
}
