import ChatCore
import CommandKit
import TerminalKit

/// `tacit contact delete`
enum ContactDeleteCommand {
    static let keep = Option<Bool>(flag: "keep-messages", "Keep the messages", isCommon: true)
    static let quietly = Option<Bool>(flag: "quietly", "Do not tell the contact")

    static let leaf: Leaf = .init(
        Command(
            "contact delete", "Delete a contact and its messages", promise: "the contact is deleted from disk",
            store: .writing, positionals: [ContactCommand.target], options: [keep, quietly, Consent.yes],
            examples: [
                Example("tacit contact delete @bob --yes", "Delete bob and all messages, and tell bob"),
                Example("tacit contact delete @bob --keep-messages --yes", "Delete bob and keep the messages readable"),
            ],
            exits: [64, 67], reports: ContactReport.forms,
            discussion: """
                Queues are deleted on relays that are reachable now; the next fetch deletes the others. Prompts for \
                confirmation unless --yes is given.
                """),
        purpose: { "delete \(UntrustedText($0[ContactCommand.target].word).quoted)" },
        run: { invocation in
            let target = UntrustedText(invocation[ContactCommand.target].word).quoted
            let loss = invocation[keep] ? "" : " and all messages"
            try Consent.require(
                StyledText("Delete \(target)\(loss)?"), "tacit contact delete \(target) --yes", invocation)
            return try StoreOpener(invocation, isWriting: true).run { try await delete($0) }
        })

    private static func delete(_ session: CommandSession) async throws -> ExitCode {
        let invocation = session.invocation
        let contact = try await session.contact(invocation[ContactCommand.target])
        session.progress.start { "deleting \(contact.target)" }
        let command = DeleteChat(
            .reference(.direct(contact.id)), invocation[keep] ? .entity : .full, notifies: !invocation[quietly])
        let deleted = try await session.execute(command).chat
        session.progress.stop()
        try invocation.print(done: ContactReport(chat: deleted, action: "deleted"))
        return .ok
    }
}
