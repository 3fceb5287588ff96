import ChatCore
import CommandKit
import TerminalKit

/// `tacit group role`
enum GroupRoleCommand {
    static let role = Positional<MemberRole>("ROLE", "New role", .choice())

    static let leaf: Leaf = .init(
        Command(
            "group role", "Change the role of a member", promise: GroupDelivery.promise, store: .writing,
            positionals: [GroupCommand.member, role], options: GroupDelivery.options,
            examples: [
                Example("tacit group role +team/@bob moderator", "Let bob delete messages and block members"),
                Example("tacit group role +team/@bob observer", "Let bob read and react only"),
            ],
            exits: [64, 67, 68, 69, 75], reports: MemberReport.forms, topics: ["targets"],
            discussion: """
                observer reads and reacts. author sends messages too; the official apps do not offer this role. member sends \
                messages and can use all that the group allows to members. moderator deletes messages of others, blocks and admits \
                members. admin invites and removes members and changes roles. owner changes the profile of the group and \
                deletes the group. You need the role admin, and cannot give a role above your own.
                """),
        purpose: { "change the role of \(UntrustedText($0[GroupCommand.member].word).quoted)" },
        body: { session in
            let invocation = session.invocation
            let (group, member) = try await session.member(invocation[GroupCommand.member])
            try await session.checkPresent(member, in: group)
            let changed = try await session.setRole(invocation[role].role, of: [member], in: group)
            try GroupCommand.report(group, changed, "changed", invocation)
            return try await GroupDelivery.finish(group, session)
        })
}
