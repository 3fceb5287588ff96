import ByteCoding
import ChatCore
import CommandKit
import SystemIO
import TerminalKit

/// `tacit message purge`
enum MessagePurgeCommand {
    static let target = Positional<Target?>(
        optional: "TARGET", "Only this chat; without it, all chats of the profile", .target())
    static let olderThan = Option<Duration?>(
        "older-than", "Remove messages that are older than this", .duration(), isCommon: true)
    static let dryRun = Option<Bool>(flag: "dry-run", "Count the messages without removing them", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "message purge", "Remove old messages from the store", promise: "the messages are deleted from disk",
            store: .writing,
            positionals: [target], options: [olderThan, dryRun, Consent.yes],
            examples: [
                Example("tacit message purge --older-than 90d --dry-run", "Count the messages first"),
                Example(
                    "tacit message purge --older-than 90d --yes",
                    "Remove messages of all chats that are older than 90 days"),
                Example(
                    "tacit message purge --older-than 30d @bob --yes", "Remove messages older than 30 days in one chat"),
            ],
            exits: [64, 67], reports: PurgeReport.forms, topics: ["targets", "time"],
            discussion: """
                Removes sent and received messages, whether read or not; messages in the outbox stay. The age counts from \
                writing or receiving the message. Contacts keep their copies. Notes are removed only if the target is notes. \
                Prompts for confirmation unless --yes is given.

                'tacit profile set --retention' and 'tacit contact set --retention' remove old messages automatically.
                """),
        purpose: { _ in "purge messages" },
        run: { invocation in
            guard let age = invocation[olderThan] else {
                throw Failure.noAgeToPurge
            }
            if !invocation[dryRun] {
                let chat = invocation[target].map { " of \(UntrustedText($0.word).quoted)" } ?? " of all chats"
                let word = invocation[target].map { "\(ShellWord.quoted($0.word)) " } ?? ""
                let time = ValueKind<Duration>.duration().write(age)
                try Consent.require(
                    StyledText("Remove the messages\(chat) that are older than \(time)?"),
                    "tacit message purge --older-than \(time) \(word)--yes", invocation)
            }
            return try StoreOpener(invocation, isWriting: true).run { try await purge(age, $0) }
        })

    private static func purge(_ age: Duration, _ session: CommandSession) async throws -> ExitCode {
        let invocation = session.invocation, isDry = invocation[dryRun]
        var chat: Chat?
        if let target = invocation[target] { chat = try await session.chat(target) }
        let time = Timestamp(milliseconds: SystemClock.milliseconds()) + (.zero - age)
        let purge = Purge(
            try await session.profileID(), in: chat?.reference, before: time, isDry: isDry)
        let chats = try await session.execute(purge).chats
        for purged in chats {
            try invocation.print(
                done: PurgeReport(chat: purged.chat, count: purged.items.count, before: time, isDry: isDry))
        }
        if chats.isEmpty {
            try invocation.print(done: PurgeReport(chat: chat, count: 0, before: time, isDry: isDry))
        }
        return .ok
    }
}
