import ChatCore
import CommandKit
import TerminalKit

/// `tacit group moderate`
enum GroupModerateCommand {
    static let messages = Positional<[ChatItemID]>(repeated: "ID", "Message ids", ChatItemID.kind)

    static let leaf: Leaf = .init(
        Command(
            "group moderate", "Delete messages of members for all", promise: GroupDelivery.promise, store: .writing,
            positionals: [messages], options: [Consent.yes] + GroupDelivery.options,
            examples: [Example("tacit group moderate m12 --yes", "Delete a message for all members of its group")],
            exits: [64, 67, 68, 69, 75], reports: ChangeReport.forms,
            discussion: """
                You need the role moderator, and at least the role of the author. Your own messages are deleted with \
                'tacit message delete --everywhere'. Prompts for confirmation unless --yes is given.
                """),
        purpose: { _ in "delete messages for all members" },
        run: { invocation in
            let ids = invocation[messages].map { ObjectID.text($0) }
            try Consent.require(
                StyledText("Delete \(ids.joined(separator: ", ")) for all members?"),
                "tacit group moderate \(ids.joined(separator: " ")) --yes", invocation)
            return try StoreOpener(invocation, isWriting: true).run { try await moderate($0) }
        })

    private static func moderate(_ session: CommandSession) async throws -> ExitCode {
        let invocation = session.invocation
        var items: [LocatedItem] = []
        for id in invocation[messages] where !items.contains(where: { $0.item.id == id }) {
            items.append(try await session.item(id))
        }
        var groups: [Group] = []
        for located in items {
            guard let group = located.chat.group else { throw Reason.isNoGroup(located.chat.target) }
            guard located.item.direction == .received else { throw Reason.moderatesOwn(located.item.id) }
            if !groups.contains(where: { $0.id == group.id }) { groups.append(group) }
        }
        var codes: [ExitCode] = []
        for group in groups {
            let ids = items.filter { $0.chat.group?.id == group.id }.map(\.item.id)
            let deleted = try await session.moderate(ids, in: group)
            try invocation.print(done: deleted.map { ChangeReport(action: .deleted, located: $0.before) })
            codes.append(try await GroupDelivery.finish(group, session))
        }
        return .worst(of: codes)
    }
}
