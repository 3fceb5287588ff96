import ByteCoding
import ChatCore
import CommandKit
import TerminalKit

/// `tacit contact clear`
enum ContactClearCommand {
    static let leaf: Leaf = .init(
        Command(
            "contact clear", "Delete all messages of a chat from the store",
            promise: "the messages are deleted from disk",
            store: .writing, positionals: [ContactSetCommand.chat], options: [Consent.yes],
            examples: [
                Example("tacit contact clear @bob --yes", "Delete the messages, keep the contact"),
                Example("tacit contact clear notes --yes", "Delete all notes"),
            ],
            exits: [64, 67], reports: PurgeReport.forms, topics: ["targets"],
            discussion: """
                The contact stays, is not told, and keeps its copies. Messages in the outbox stay and are sent; 'tacit outbox \
                drop' removes them. Prompts for confirmation unless --yes is given.
                """),
        purpose: { "clear \(UntrustedText($0[ContactSetCommand.chat].word).quoted)" },
        run: { invocation in
            let word = invocation[ContactSetCommand.chat].word
            try Consent.require(
                StyledText("Delete all messages of \(UntrustedText(word).quoted) here?"),
                "tacit contact clear \(ShellWord.quoted(word)) --yes", invocation)
            return try StoreOpener(invocation, isWriting: true).run { session in
                let chat = try await session.chat(invocation[ContactSetCommand.chat])
                // Also what has a time in the future, because the clock was set.
                let everything = Timestamp(milliseconds: 253_402_300_799_000)
                let purge = Purge(
                    try await session.profileID(), in: chat.reference, before: everything, isDry: false)
                let chats = try await session.execute(purge).chats
                // And what is written and not sent.
                _ = try await session.execute(DeleteChat(.reference(chat.reference), .messages, notifies: false))
                let count = chats.reduce(0) { $0 + $1.items.count }
                try invocation.print(done: PurgeReport(chat: chat, count: count, before: nil, isDry: false))
                return .ok
            }
        })
}
