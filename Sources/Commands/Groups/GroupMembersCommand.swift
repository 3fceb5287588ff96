import ChatCore
import CommandKit
import TerminalKit

/// `tacit group members`
enum GroupMembersCommand {
    static let all = Option<Bool>(flag: "all", letter: "a", "Include members that left or were removed", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "group members", "List the members of a group", promise: "the list was printed", store: .reading,
            positionals: [GroupCommand.target], options: [all],
            examples: [
                Example("tacit group members +team", "List the members with their roles"),
                Example("tacit group members +team --json | jq -r .name", "Print the names only"),
            ],
            exits: [67], reports: MemberReport.forms, topics: ["targets"]),
        purpose: GroupCommand.purpose("list the members of"),
        body: { session in
            let invocation = session.invocation
            let group = try await session.group(invocation[GroupCommand.target])
            let others = try await session.members(of: group).filter { invocation[all] || !$0.status.isGone }
            try invocation.print(list: ([group.membership] + others).map { MemberReport(group, $0) })
            return .ok
        })
}
