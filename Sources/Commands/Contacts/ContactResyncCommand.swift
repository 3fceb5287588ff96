import ChatCore
import CommandKit
import TerminalKit

/// `tacit contact resync`
enum ContactResyncCommand {
    static let force = Option<Bool>(
        flag: "force", "Also if nothing seems to be wrong, or if there was no answer before", isCommon: true)
    static let timeout = Option<Duration>(
        "timeout", "Stop after this time; fetch goes on with it", .duration(), default: .seconds(30),
        variable: "TACIT_TIMEOUT")

    static let leaf: Leaf = .init(
        Command(
            "contact resync", "Agree on a new encryption with a contact",
            promise: "the request for a new encryption is on disk", store: .writing,
            positionals: [ContactCommand.target], options: [force, timeout],
            examples: [Example("tacit contact resync @bob", "When messages of bob cannot be decrypted any more")],
            exits: [67, 68, 69, 75, 79], reports: EventPrinter.forms,
            discussion: """
                Both sides make new keys, and the security code changes: compare it again. The other side answers when it \
                fetches; what is written meanwhile waits in the outbox.
                """),
        purpose: { "agree on a new encryption with \(UntrustedText($0[ContactCommand.target].word).quoted)" },
        run: { invocation in
            try StoreAccess(
                invocation, isWriting: true,
                onEvent: { event in if !invocation.isQuiet { EventPrinter.print(event, invocation) } }
            ).run { session in
                let contact = try await session.contact(invocation[ContactCommand.target])
                let chat = ChatTarget.reference(.direct(contact.id))
                _ = try await session.execute(SynchronizeRatchet(chat, isForced: invocation[force]))
                return try await ContactCommand.carryOn(
                    "asking for a new encryption", within: invocation[timeout], session)
            }
        })
}
