import ChatCore
import CommandKit
import TerminalKit

/// `tacit group reject`
enum GroupRejectCommand {
    static let word = Positional<String>(
        "GROUP|MEMBER", "Group that you were invited to, or member that waits",
        .text("GROUP|MEMBER", completing: .group))

    static let leaf: Leaf = .init(
        Command(
            "group reject", "Reject an invitation, or a member that waits", promise: GroupDelivery.promise,
            store: .writing, positionals: [word], options: GroupDelivery.options,
            examples: [
                Example("tacit group reject +team", "Delete an invitation without telling the sender"),
                Example("tacit group reject +team/@bob", "Turn away a member that waits for a moderator"),
            ],
            exits: [64, 67, 68, 69, 75], reports: GroupReport.forms + MemberReport.forms, topics: ["targets"],
            discussion: "Moderators admit members that wait; you need the role admin to reject one."),
        purpose: { "reject \(UntrustedText($0[word]).quoted)" },
        body: { session in
            let invocation = session.invocation, text = invocation[word]
            if let target = MemberName(text) {
                let (group, member) = try await session.member(target)
                guard member.status.isPending else { throw Reason.notWaiting(member.target(in: group)) }
                let removed = try await session.remove([member], of: group, withMessages: false)
                try GroupCommand.report(group, removed, "rejected", invocation)
                return try await GroupDelivery.finish(group, session)
            }
            guard let target = Target(text) else { throw Reason.unknownTarget }
            let group = try await session.group(target)
            guard group.membership.status == .invited else { throw Reason.notInvited(group.target, state: group.state) }
            try await session.delete(group)
            try invocation.print(done: GroupReport(group: group, action: "rejected"))
            return .ok
        })
}
