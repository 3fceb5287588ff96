import ChatCore
import CommandKit
import SMPProtocol
import TerminalKit

/// `tacit contact`
enum ContactCommand {
    static let command = Command(
        noun: "contact", "Manage contacts and their connections", verbs: leaves.map(\.command),
        defaultVerb: "list")

    static let leaves = [
        ContactListCommand.leaf, ContactShowCommand.leaf, ContactRenameCommand.leaf, ContactVerifyCommand.leaf,
        ContactMuteCommand.leaf, ContactUnmuteCommand.leaf, ContactBlockCommand.leaf, ContactUnblockCommand.leaf,
        ContactSetCommand.leaf, ContactClearCommand.leaf, ContactDeleteCommand.leaf, ContactResyncCommand.leaf,
        ContactRotateCommand.leaf,
    ]

    /// A contact that exists.
    static let target = Positional<Target>("CONTACT", "Contact, by name or id", .contact())

    /// Changes the contact that was named, and says what was done with it.
    static func change<Change: ChatCommand>(
        _ session: CommandSession, action: String, _ command: (ChatTarget) -> Change
    ) async throws -> ExitCode where Change.Response == ContactInfo {
        let contact = try await session.contact(session.invocation[target])
        let changed = try await session.execute(command(.reference(.direct(contact.id)))).contact
        try session.invocation.print(done: ContactReport(contact: changed, action: action))
        return .ok
    }

    /// Goes as far as it goes without the other side with what was begun for a contact.
    static func carryOn(_ action: String, within timeout: Duration, _ session: CommandSession) async throws -> ExitCode
    {
        let invocation = session.invocation
        session.progress.start { action }
        let report = try await session.execute(FetchMessages(timeout: timeout))
        session.progress.stop()
        invocation.note(StyledText("the contact must fetch now\(invocation.thenFetch)"))
        return .worst(
            of: report.obstacles.map {
                invocation.report(Reason($0).failure(during: "reach '\($0.server.location)'"))
            })
    }
}
