import ChatCore
import CommandKit
import TerminalKit

/// `tacit contact resync`
enum ContactResyncCommand {
    static let force = Option<Bool>(
        flag: "force", "Renegotiate even if the ratchet is in sync or a request is pending", isCommon: true)
    static let timeout = Option<Duration>(
        "timeout", "Stop after this time; fetch continues", .duration(), default: .seconds(30),
        variable: "TACIT_TIMEOUT")

    static let leaf: Leaf = .init(
        Command(
            "contact resync", "Renegotiate the encryption with a contact",
            promise: "the request for new keys is on disk", store: .writing,
            positionals: [ContactCommand.target], options: [force, timeout],
            examples: [Example("tacit contact resync @bob", "Repair a connection whose messages fail to decrypt")],
            exits: [67, 68, 69, 75, 79], reports: EventPrinter.forms,
            discussion: """
                Both sides create new ratchet keys, and the security code changes: verify it again. The contact answers with \
                its next fetch; until then, sent messages wait in the outbox.
                """),
        purpose: { "renegotiate the encryption with \(UntrustedText($0[ContactCommand.target].word).quoted)" },
        run: { invocation in
            try StoreOpener(
                invocation, isWriting: true,
                onEvent: { event in if !invocation.isQuiet { EventPrinter.print(event, invocation) } }
            ).run { session in
                let contact = try await session.contact(invocation[ContactCommand.target])
                let chat = ChatTarget.reference(.direct(contact.id))
                _ = try await session.execute(SynchronizeRatchet(chat, isForced: invocation[force]))
                return try await ContactCommand.carryOn(
                    "requesting new keys", within: invocation[timeout], session)
            }
        })
}
