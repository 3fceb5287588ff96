import ChatCore
import CommandKit
import TerminalKit

/// `tacit group show`
enum GroupShowCommand {
    static let leaf: Leaf = .init(
        Command(
            "group show", "Show a group", promise: "the group was printed", store: .reading,
            positionals: [GroupCommand.target],
            examples: [Example("tacit group show +team --json", "Print all fields of a group")], exits: [67],
            reports: GroupReport.forms, topics: ["targets"]),
        purpose: GroupCommand.purpose("show"),
        body: { session in
            let group = try await session.group(session.invocation[GroupCommand.target])
            let count = try await session.members(of: group).filter(\.status.isCurrent).count
            try session.invocation.print(
                GroupReport(group: group, count: count + (group.membership.status.isCurrent ? 1 : 0)))
            return .ok
        })
}
