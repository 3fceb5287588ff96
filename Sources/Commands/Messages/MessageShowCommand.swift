import ChatCore
import CommandKit
import TerminalKit

/// `tacit message show`
enum MessageShowCommand {
    static let messages = Positional<[MessageName]>(
        repeated: "ID", "Message ids; last is the newest message", MessageName.kind)

    static let leaf: Leaf = .init(
        Command(
            "message show", "Show messages by id", promise: "the messages were printed", store: .reading,
            positionals: [messages], options: [MessageName.chat],
            examples: [
                Example("tacit message show m12 --json", "Print all fields of a message"),
                Example("tacit message show last --in +team", "Show the newest message of a group"),
            ],
            exits: [64, 67], reports: MessageReport.forms,
            discussion: """
                A message that you sent to a group is followed by its delivery state at each member, the field "deliveries" \
                in JSON.
                """),
        purpose: { _ in "show the message" },
        body: { session in
            var reports: [MessageReport] = []
            for located in try await session.messages(session.invocation[messages], nil) {
                var report = MessageReport(located.chat, located.item, showsDeleted: true)
                report.deliveries = try await deliveries(of: located, session)
                reports.append(report)
            }
            try session.invocation.print(list: reports)
            return .ok
        })

    /// The delivery state of an own message of a group at each member.
    private static func deliveries(
        of located: LocatedItem, _ session: CommandSession
    ) async throws -> [MessageReport.Delivery] {
        guard let group = located.chat.group, located.item.direction == .sent else { return [] }
        let info = try await session.execute(ShowItemInfo(.reference(located.chat.reference), located.item.id))
        let members = try await session.members(of: group)
        return info.deliveries.compactMap { delivery in
            members.first { $0.id == delivery.member }.map { MessageReport.Delivery($0, in: group, delivery.state) }
        }
    }
}
