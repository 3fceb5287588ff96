import ChatCore
import CommandKit
import TerminalKit

/// `tacit group member`
enum GroupMemberCommand {
    static let leaf: Leaf = .init(
        Command(
            "group member", "Show a member of a group", promise: "the member was printed", store: .reading,
            positionals: [GroupCommand.member],
            examples: [Example("tacit group member +team/@bob --json", "Print all fields of a member")], exits: [67],
            reports: MemberReport.forms, topics: ["targets"]),
        purpose: { "show \(UntrustedText($0[GroupCommand.member].word).quoted)" },
        body: { session in
            let (group, member) = try await session.member(session.invocation[GroupCommand.member])
            try session.invocation.print(MemberReport(group, member))
            return .ok
        })
}
