import ChatCore
import CommandKit
import TerminalKit

/// `tacit group link`
enum GroupLinkCommand {
    static let create = Option<Bool>(flag: "create", "Create the link", isCommon: true)
    static let delete = Option<Bool>(flag: "delete", "Delete the link; members stay", isCommon: true)
    static let role = Option<MemberRole?>(
        "role", "Role of members that join through the link", .choice(), defaultText: "member", isCommon: true)
    static let full = Option<Bool>(flag: "full", "Print the long form of the link")
    static let timeout = Option<Duration>(
        "timeout", "Stop waiting for the relay after this time", .duration(), default: .seconds(30),
        variable: "TACIT_TIMEOUT")

    static let leaf: Leaf = .init(
        Command(
            "group link", "Print, create or delete the link of a group",
            promise:
                "the link was printed (with --create: its queue exists; with --delete: the link is deleted from disk)",
            store: .writing, positionals: [GroupCommand.target],
            options: [create, role, delete, full, LinkPicture.option, timeout],
            examples: [
                Example("tacit group link +team --create", "Create the link, or print it if it exists"),
                Example("tacit group link +team --role observer", "Let new members read only"),
                Example("tacit group link +team --delete", "Stop new members from joining"),
            ],
            exits: [64, 67, 68, 69, 75, 78], reports: GroupLinkReport.forms, topics: ["targets"],
            discussion: """
                Everyone with the link can join, until it is deleted. You need the role admin. New members \
                are admitted when your store receives: with the next fetch, a watch or the daemon. With 'tacit group set \
                --review on', moderators admit each new member.

                \(LinkPicture.discussion)
                """),
        purpose: GroupCommand.purpose("show the link of"),
        run: { invocation in
            guard !invocation[delete] || (!invocation[create] && invocation[role] == nil) else {
                throw Failure.linkCreatedAndDeleted
            }
            let isWriting = invocation[create] || invocation[delete] || invocation[role] != nil
            return try StoreOpener(invocation, isWriting: isWriting).run { try await change($0) }
        })

    private static func change(_ session: CommandSession) async throws -> ExitCode {
        let invocation = session.invocation
        let group = try await session.group(invocation[GroupCommand.target])
        if invocation[delete] {
            try await session.deleteLink(of: group)
            try invocation.print(done: GroupLinkReport(group: group, link: nil))
            return .ok
        }
        var link = try await session.link(of: group)
        if link == nil, invocation[create] {
            session.progress.start { "creating the link of \(group.target)" }
            let deadline = ContinuousClock.now + invocation[timeout]
            link = try await session.createLink(of: group, (invocation[role] ?? .member).role, before: deadline)
            session.progress.stop()
        } else if let role = invocation[role]?.role, link != nil, link?.role != role {
            link = try await session.setLinkRole(role, of: group)
        }
        guard let link else { throw Reason.noGroupLink(group.target) }
        let report = GroupLinkReport(group: group, link: link, isFull: invocation[full])
        if let text = report.text { try LinkPicture.show(text, invocation) }
        try invocation.print(report)
        return .ok
    }
}
