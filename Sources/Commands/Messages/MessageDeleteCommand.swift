import ChatCore
import CommandKit
import TerminalKit

/// `tacit message delete`
enum MessageDeleteCommand {
    static let messages = Positional<[MessageName]>(
        repeated: "ID", "Message ids; last is the newest sent message", MessageName.kind)
    static let everywhere = Option<Bool>(
        flag: "everywhere", "Delete sent messages for the contact or group too", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "message delete", "Delete messages here, or on both sides",
            promise: """
                the messages are deleted from disk (with --everywhere: and the relay has accepted the deletion for the \
                contact)
                """,
            store: .writing, positionals: [messages],
            options: [everywhere, MessageName.chat, ChangeDelivery.wait, ChangeDelivery.timeout],
            examples: [
                Example("tacit message delete m12", "Delete a message from this store"),
                Example("tacit message delete m12 --everywhere", "Delete a message on both sides"),
                Example("tacit message delete last --in @alice --everywhere", "Take back the newest message to alice"),
            ],
            exits: [64, 67, 68, 69, 75, 79], reports: ChangeReport.forms,
            discussion: """
                A sent message can be deleted on both sides for 24 hours. Unless the contact or group allows permanent deletion, both \
                sides keep the message, marked as deleted. The contact may have read it already.
                """),
        purpose: { _ in "delete messages" },
        body: delete)

    private static func delete(_ session: CommandSession) async throws -> ExitCode {
        let invocation = session.invocation, mode: DeletionMode = invocation[everywhere] ? .broadcast : .internal
        let items = try await session.messages(invocation[messages], .sent)
        if mode == .internal, let queued = items.first(where: { $0.item.status.isUnsent }) {
            // It would go all the same.
            throw ChatError.notChangeable(queued.item.id, .queued, .delete)
        }
        var codes: [ExitCode] = []
        let groups = Dictionary(grouping: items, by: \.item.chat).sorted {
            ($0.key.number, ObjectID.text($0.key)) < ($1.key.number, ObjectID.text($1.key))
        }
        for (reference, group) in groups {
            let command = DeleteItems(.reference(reference), group.map(\.item.id), mode)
            let reports = try await session.execute(command).deleted.map {
                ChangeReport(action: .deleted, located: $0.before)
            }
            guard mode == .broadcast, let chat = group.first?.chat else {
                try invocation.print(done: reports)
                continue
            }
            codes.append(
                try await ChangeDelivery(chat: chat, session: session).finish(reports, during: "tell \(chat.target)"))
        }
        return .together(codes)
    }
}
