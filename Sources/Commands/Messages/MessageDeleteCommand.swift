import ChatCore
import CommandKit
import TerminalKit

/// `tacit message delete`
enum MessageDeleteCommand {
    static let messages = Positional<[ChatItemID]>(repeated: "ID", "Messages", ChatItemID.kind)
    static let everywhere = Option<Bool>(
        flag: "everywhere", "Take own messages back: they disappear for the contact too", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "message delete", "Remove messages here, or take own ones back",
            promise: "they are gone from the disk (with --everywhere: and the contact's relay has been told)",
            store: .writing, positionals: [messages],
            options: [everywhere, ChangeDelivery.wait, ChangeDelivery.timeout],
            examples: [
                Example("tacit message delete m12", "Only here"),
                Example("tacit message delete m12 --everywhere", "For both"),
            ],
            exits: [64, 67, 68, 69, 75, 79], reports: ChangeReport.forms,
            discussion: """
                An own message can be taken back for a day. Unless the contact allows that messages vanish, both sides keep it, \
                marked as deleted; who read it has read it.
                """),
        purpose: { _ in "delete messages" },
        body: delete)

    private static func delete(_ session: StoreSession) async throws -> ExitCode {
        let invocation = session.invocation, mode: DeletionMode = invocation[everywhere] ? .broadcast : .internal
        var items: [LocatedItem] = []
        for id in invocation[messages] where !items.contains(where: { $0.item.id == id }) {
            items.append(try await session.item(id))
        }
        var codes: [ExitCode] = []
        for (id, group) in Dictionary(grouping: items, by: \.contact.id).sorted(by: { $0.key.number < $1.key.number }) {
            let command = DeleteItems(.reference(.direct(id)), group.map(\.item.id), mode)
            let reports = try await session.execute(command).deleted.map {
                ChangeReport(deed: .deleted, located: $0.before)
            }
            guard mode == .broadcast, let contact = group.first?.contact else {
                try invocation.print(done: reports)
                continue
            }
            codes.append(
                try await ChangeDelivery(contact: contact, session: session).finish(
                    reports, during: "tell \(contact.target)"))
        }
        return .together(codes)
    }
}
