import ChatCore
import CommandKit
import TerminalKit

/// `tacit group contact`
enum GroupContactCommand {
    static let leaf: Leaf = .init(
        Command(
            "group contact", "Start a direct chat with a member", promise: GroupDelivery.promise, store: .writing,
            positionals: [GroupCommand.member], options: GroupDelivery.options,
            examples: [
                Example("tacit group contact +team/@bob", "Invite bob to a direct chat, or accept the invitation")
            ],
            exits: [64, 67, 68, 69, 75], reports: ContactReport.forms, topics: ["targets"],
            discussion: """
                The member becomes a contact when both sides have run the command: the first invites, the second accepts. \
                Later messages are sent to the contact, @bob or +team/@bob. The group must allow direct messages.
                """),
        purpose: { "start a chat with \(UntrustedText($0[GroupCommand.member].word).quoted)" },
        body: { session in
            let invocation = session.invocation
            let (group, member) = try await session.member(invocation[GroupCommand.member])
            let (contact, action) = try await session.makeContact(of: member, in: group)
            try invocation.print(done: ContactReport(contact: contact, action: action))
            return try await GroupDelivery.finish(group, session)
        })
}
