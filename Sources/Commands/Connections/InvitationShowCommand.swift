import CommandKit
import TerminalKit

/// `tacit invitation show`
enum InvitationShowCommand {
    static let full = Option<Bool>(flag: "full", "Print the long form of the link", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "invitation show", "Print the link of an invitation", promise: "the link was printed", store: .reading,
            positionals: [InvitationCommand.name], options: [full, LinkPicture.option],
            examples: [Example("tacit invitation show id:i3", "Print the link again")],
            exits: [67], reports: InvitationReport.forms, discussion: LinkPicture.discussion),
        purpose: { _ in "show the invitation" },
        body: { session in
            let invocation = session.invocation
            let invitation = try await InvitationCommand.chosen(session)
            let report = InvitationReport(connection: invitation, isFull: invocation[full])
            try LinkPicture.show(report.link, invocation)
            try invocation.print(report)
            return .ok
        })
}
