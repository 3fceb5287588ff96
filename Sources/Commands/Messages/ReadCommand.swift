import ChatCore
import CommandKit
import TerminalKit

/// `tacit read`
enum ReadCommand {
    static let target = Positional<Target?>(
        optional: "TARGET", "Conversation; without it, all conversations", .target())
    static let last = Option<Int?>(
        "last", letter: "n", "Number of messages, newest last", .count(in: 1...1_000_000),
        defaultText: "20, or all if other filters are given", isCommon: true
    )
    .writtenAsNumeral
    static let since = Option<Moment?>("since", "Only messages since this time", .moment(), isCommon: true)
    static let until = Option<Moment?>("until", "Only messages before this time, or to the end of this day", .moment())
    static let unread = Option<Bool>(flag: "unread", "Only unread messages", isCommon: true)
    static let search = Option<String?>("search", "Only messages with these words, ignoring case", .text("WORDS"))
    static let support = Option<Bool>(flag: "support", "Only messages to the moderators of groups")
    static let supportOf = Option<MemberName?>(
        "support-of", "Only the chat of this member with the moderators", .member())
    static let mark = Option<Bool?>(
        flag: "mark", "Mark printed messages as read", defaultText: "yes on a terminal, else no", isCommon: true)
    static let cursor = Option<String?>(
        "cursor", "Print all messages after this read cursor, and advance it", .text("NAME"), isCommon: true)
    static let exec = Option<String?>(
        "exec", "Run this program once per message after the cursor instead of printing", .text("PROG"))
    static let hold = Option<Bool>(flag: "hold", "Do not advance the cursor; 'cursor commit' does")
    static let ids = Option<Bool?>(
        flag: "ids", "Print the id of each message", defaultText: "read.ids", isCommon: true
    )
    .withoutSetting
    static let peek = Option<Bool>(flag: "peek", "Do not advance or create the cursor")

    static let leaf: Leaf = .init(
        Command(
            "read", "Show stored messages",
            promise: """
                the messages were printed (with --cursor: and the cursor was advanced; with --exec: and the program exited \
                with 0 for each message)
                """,
            store: .reading, positionals: [target],
            options: [
                last, since, until, unread, search, support, supportOf, mark, ids, cursor, exec, hold, peek,
                FailureRule.retries, FailureRule.onFailure,
            ],
            examples: [
                Example("tacit read @alice", "Show the last 20 messages of a conversation"),
                Example("tacit read -3 --since 2h", "Show the last three messages of the past two hours"),
                Example("tacit read --since today --unread", "Show today's unread messages"),
                Example("tacit read @alice --ids", "Show the ids that other commands accept"),
                Example("tacit read +team --support", "Show messages to the moderators of a group"),
                Example("tacit read --cursor bot --json", "Print all messages since the last run"),
                Example("tacit read --cursor bot --exec ./bot.sh", "Run a program once per message"),
                Example(
                    "tacit read --cursor bot --exec ./bot.sh --retries 3 --on-failure skip",
                    "Skip a message after four failures"),
                Example("tacit read @alice --json | jq -r .text", "Print the texts only"),
            ],
            exits: [67, 69, 75, 80], reports: MessageReport.forms, topics: ["targets", "time", "scripting"],
            discussion: """
                Reads from the store without using the network. Messages shown on a terminal are marked as read; --no-mark, or \
                'read.mark = no' in the configuration, leaves them unread. In a pipe or a file, nothing is marked without \
                --mark, and nothing changes without --cursor. If the store is in use, the messages are shown and stay unread.

                Messages to the moderators of a group stand between the others, marked "to moderators". --support shows only \
                these, and --support-of +team/@bob only the chat of one member with the moderators.

                A cursor is a named position among all messages, or among the messages of one conversation. A new name starts \
                before the first message. The cursor advances after all output was written. If writing fails or the reader has \
                exited, the cursor stays: messages can repeat but are never skipped. Sent messages are included; received ones \
                have the direction "in".

                --exec runs the command line with sh once per message, with the JSON object on its standard input. The cursor \
                advances past a message when the program exits with 0. If it fails, reading stops, the exit code is 75, and \
                the next run starts with the same message. 'tacit cursor commit NAME ID' advances the cursor past it.

                --retries limits the retries of a message. Each command runs the program once for it. The store counts the \
                failures, so the limit holds across cron jobs; 'tacit cursor list' shows the count. The exit code is 75 while \
                retries are left, then 69: the program still runs for the message, but a person must intervene. With \
                --on-failure skip, the cursor advances past the message instead, and the command continues. Each skipped \
                message is reported on standard error as exec.skipped, and the exit code is 80. Programs that cannot be run \
                (126 and 127) are not counted, and their messages are not skipped.

                A program that is killed may receive its message again. Its environment has TACIT_ID, TACIT_CHAT_ID and \
                TACIT_PROFILE, and it may use the store.
                """),
        purpose: { $0[target].map { "read \(UntrustedText($0.word).quoted)" } ?? "read" },
        run: { invocation in
            try check(invocation)
            return try StoreOpener(invocation, isWriting: false).run(read)
        })

    /// What excludes each other.
    private static func check(_ invocation: Invocation) throws(Failure) {
        let isHeld = invocation[hold] || invocation[peek]
        try FailureRule.check(invocation)
        guard !invocation[support] || invocation[supportOf] == nil else { throw Failure.supportTwice("read") }
        guard !isHeld || !FailureRule(invocation).isGiven else {
            throw Failure.failureRuleOfStandingCursor
        }
        guard let name = invocation[cursor] else {
            guard invocation[exec] == nil, !isHeld else {
                throw Failure.readingWithoutCursor
            }
            return
        }
        guard !name.isEmpty else {
            throw Failure.emptyCursorName
        }
        let chooses =
            invocation[last] != nil || invocation[since] != nil || invocation[until] != nil || invocation[unread]
            || invocation[search] != nil || invocation[support] || invocation[supportOf] != nil
        guard !chooses else {
            throw Failure.choiceBehindCursor
        }
    }

    private static func read(_ session: CommandSession) async throws -> ExitCode {
        let invocation = session.invocation
        let moves = invocation[cursor] != nil && !invocation[hold] && !invocation[peek]
        let marks = invocation[mark] == true
        if moves || marks { try await session.awaitTurn() }
        guard let name = invocation[cursor] else {
            let items = try await session.items(try await query(session))
            try invocation.print(list: MessageReport.list(items, withIDs: invocation.showsIDs))
            if marks, !items.isEmpty { try await session.change(session.marks(of: items)) }
            if invocation.marksWhatIsShown { await session.markShown(items) }
            return .ok
        }
        var reading = try await CursorReading(name, invocation[target], session)
        if invocation[hold], !invocation[peek] { try await reading.keep() }
        if let line = invocation[exec] {
            return try await reading.run(
                try await MessageProgram(line, session), moves: moves, marks: marks)
        } else {
            try await reading.print(moves: moves, marks: marks)
        }
        return .ok
    }

    private static func query(_ session: CommandSession) async throws -> ItemQuery {
        let invocation = session.invocation, utc = invocation[GlobalOptions.utc]
        var query = ItemQuery()
        if let target = invocation[target] { query.chat = try await session.chat(target).reference }
        query.since = invocation[since]?.start(utc: utc)
        query.until = invocation[until]?.end(utc: utc)
        query.isUnread = invocation[unread]
        query.words = invocation[search].flatMap { $0.isEmpty ? nil : $0 }
        if invocation[support] { query.support = .all }
        if let name = invocation[supportOf] {
            let (group, member) = try await session.member(name), chat = ChatReference.group(group.id)
            guard query.chat == nil || query.chat == chat else { throw Reason.membersOfSeveralGroups }
            (query.chat, query.support) = (chat, .member(member.id))
        }
        let isChosen =
            query.since != nil || query.until != nil || query.isUnread || query.words != nil || query.support != nil
        query.count = invocation[last] ?? (isChosen ? nil : 20)
        return query
    }
}

extension Invocation {
    /// True if the text of a message begins with its id. Commands that print new messages beside their result have no option for it.
    var showsIDs: Bool {
        (parsed.declares(ReadCommand.ids) ? self[ReadCommand.ids] : nil)
            ?? (try? settings.value(of: ProgramSettings.showsIDs, environment: environment)) ?? false
    }

    /// True if what `read` prints is shown to a person, who has read it then.
    var marksWhatIsShown: Bool {
        self[ReadCommand.mark] == nil && !self[ReadCommand.peek] && output.traits.isTerminal
    }
}
