import ChatCore
import CommandKit
import TerminalKit

/// `tacit group accept`
enum GroupAcceptCommand {
    static let leaf: Leaf = .init(
        Command(
            "group accept", "Admit members that wait for a moderator", promise: GroupDelivery.promise, store: .writing,
            positionals: [GroupCommand.members], options: [MemberRole.option] + GroupDelivery.options,
            examples: [Example("tacit group accept +team/@bob", "Admit a member that joined through the link")],
            exits: [64, 67, 68, 69, 75], reports: MemberReport.forms, topics: ["targets"],
            discussion: """
                You need the role moderator. Members wait for admission if the group has the setting review: see \
                'tacit group set --review'.
                """),
        purpose: GroupCommand.purpose(members: "accept"),
        body: { session in
            let invocation = session.invocation
            let (group, members) = try await session.members(invocation[GroupCommand.members], present: true)
            for member in members {
                let accepted = try await session.accept(member, in: group, invocation[MemberRole.option].role)
                try GroupCommand.report(group, [accepted], "accepted", invocation)
            }
            return try await GroupDelivery.finish(group, session)
        })
}
