import ChatCore
import CommandKit
import TerminalKit

/// `tacit group invite`
enum GroupInviteCommand {
    static let contacts = Positional<[Target]>(repeated: "CONTACT", "Contacts to invite", .contact())

    static let leaf: Leaf = .init(
        Command(
            "group invite", "Invite contacts to a group",
            promise:
                "the invitations are on disk, and the relays were contacted (with --wait queued: they are on disk)",
            store: .writing, positionals: [GroupCommand.target, contacts],
            options: [MemberRole.option] + GroupDelivery.options,
            examples: [
                Example("tacit group invite +team @bob @cath", "Invite two contacts"),
                Example("tacit group invite +team @bob --role admin", "Invite a contact as an admin"),
            ],
            exits: [64, 67, 68, 69, 73, 75, 80], reports: MemberReport.forms, topics: ["targets"],
            discussion: """
                You need the role admin. A contact becomes a member when it accepts the invitation; an invitation that was not \
                answered can be sent again. With several contacts there is one report for each, and the exit code is 80 if \
                only some of them were invited.
                """),
        purpose: GroupCommand.purpose("invite to"),
        body: { session in
            let invocation = session.invocation
            let group = try await session.group(invocation[GroupCommand.target])
            var codes: [ExitCode] = []
            var invited: [Target] = []
            for target in invocation[contacts] where !invited.contains(target) {
                invited.append(target)
                do {
                    let contact = try await session.contact(target)
                    let member = try await session.invite(contact, to: group, invocation[MemberRole.option].role)
                    try invocation.print(done: MemberReport(group, member, action: "invited"))
                    codes.append(.ok)
                } catch {
                    let purpose = "invite \(UntrustedText(target.word).quoted)"
                    codes.append(invocation.report(Explained(error).failure(during: purpose)))
                }
            }
            guard codes.contains(.ok) else { return .together(codes) }
            return .worst(of: [.together(codes), try await GroupDelivery.finish(group, session)])
        })
}
