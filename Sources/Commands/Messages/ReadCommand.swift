import ChatCore
import CommandKit
import TerminalKit

/// `tacit read`
enum ReadCommand {
    static let target = Positional<Target?>(optional: "TARGET", "Which conversation; all without it", .target())
    static let last = Option<Int?>(
        "last", letter: "n", "How many of the newest", .count(in: 1...1_000_000),
        defaultText: "20, or all of those that are chosen otherwise", isCommon: true
    )
    .writtenAsNumeral
    static let since = Option<Moment?>("since", "Only from this time on", .moment(), isCommon: true)
    static let until = Option<Moment?>("until", "Only before this time, or to the end of this day", .moment())
    static let unread = Option<Bool>(flag: "unread", "Only what was not read yet", isCommon: true)
    static let search = Option<String?>("search", "Only what has these words, in capitals or not", .text("WORDS"))
    static let mark = Option<Bool?>(
        flag: "mark", "Mark what is printed as read", defaultText: "yes on a terminal, no elsewhere", isCommon: true)
    static let cursor = Option<String?>(
        "cursor", "Everything behind this place, which moves on with it", .text("NAME"), isCommon: true)
    static let exec = Option<String?>(
        "exec", "Run this program for each message behind the cursor, instead of printing", .text("PROG"))
    static let hold = Option<Bool>(flag: "hold", "Leave it to 'cursor commit' to move the cursor")
    static let peek = Option<Bool>(flag: "peek", "Never move the cursor")

    static let leaf: Leaf = .init(
        Command(
            "read", "Show messages of the store",
            promise: """
                what is there was printed (with --cursor: and the cursor is behind it; with --exec: and the program has ended \
                with 0 for each message)
                """,
            store: .reading, positionals: [target],
            options: [
                last, since, until, unread, search, mark, cursor, exec, hold, peek,
                FailureRule.retries, FailureRule.onFailure,
            ],
            examples: [
                Example("tacit read @alice", "The last of a conversation"),
                Example("tacit read -3 --since 2h", "The last three messages of the past two hours"),
                Example("tacit read --since today --unread", "What came today and was not read"),
                Example("tacit read --cursor bot --json", "Everything since the last time"),
                Example("tacit read --cursor bot --exec ./bot.sh", "A run of the program for each message"),
                Example(
                    "tacit read --cursor bot --exec ./bot.sh --retries 3 --on-failure skip",
                    "Skip a message that fails four times"),
                Example("tacit read @alice --json | jq -r .text", "Texts only"),
            ],
            exits: [67, 69, 75, 80], reports: MessageReport.forms, topics: ["targets", "time", "scripting"],
            discussion: """
                Nothing is fetched. What is shown on a terminal is marked as read; --no-mark, or 'read.mark = no' in the \
                configuration, leaves it unread. In a pipe or a file nothing is marked without --mark, and without --cursor \
                nothing is changed. If the store is in use the messages are shown and stay unread.

                A cursor is a named place in all messages, or in one conversation: a name that is new stands for one before the \
                first message. It moves when everything was written out. If that fails, or the reader is gone, it stays, and \
                messages come again: they may repeat, and are never skipped. Own messages are among them; the direction of \
                what others wrote is "in".

                With --exec the line is given to sh for each message, which is on its standard input as a JSON object. The \
                cursor moves past a message when the program ends with 0; otherwise it stops there, the exit code is 75, and \
                the next time begins with that message. 'tacit cursor commit NAME ID' moves the cursor past it.

                --retries sets how often a message is retried. Each command runs the program once for it; the failures are \
                counted in the store, so they hold from one cron job to the next. 'tacit cursor list' shows them. The exit \
                code is 75 while retries are left. Then it is 69: the program is still run for the message, but a person has \
                to look. With --on-failure skip, the cursor moves past the message instead, and the command continues. Each \
                skipped message is reported on standard error as exec.skipped, and the exit code is 80. Programs that cannot \
                be run (126 and 127) are never counted, and their messages are never skipped.

                A program that is killed may see its message twice. It finds \
                TACIT_ID, TACIT_CHAT_ID and TACIT_PROFILE in its environment, and may use the store.
                """),
        purpose: { $0[target].map { "read \(UntrustedText($0.word).quoted)" } ?? "read" },
        run: { invocation in
            try check(invocation)
            return try StoreAccess(invocation, isWriting: false).run(read)
        })

    /// What excludes each other.
    private static func check(_ invocation: Invocation) throws(Failure) {
        let isHeld = invocation[hold] || invocation[peek]
        try FailureRule.check(invocation)
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
            || invocation[search] != nil
        guard !chooses else {
            throw Failure.choiceBehindCursor
        }
    }

    private static func read(_ session: StoreSession) async throws -> ExitCode {
        let invocation = session.invocation
        let moves = invocation[cursor] != nil && !invocation[hold] && !invocation[peek]
        let marks = invocation[mark] == true
        if moves || marks { try await session.awaitTurn() }
        guard let name = invocation[cursor] else {
            let items = try await session.items(try await query(session))
            try invocation.print(list: items.map { MessageReport($0) })
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

    private static func query(_ session: StoreSession) async throws -> ItemQuery {
        let invocation = session.invocation, utc = invocation[GlobalOptions.utc]
        var query = ItemQuery()
        if let target = invocation[target] { query.contact = try await session.chat(target).id }
        query.since = invocation[since]?.start(utc: utc)
        query.until = invocation[until]?.end(utc: utc)
        query.isUnread = invocation[unread]
        query.words = invocation[search].flatMap { $0.isEmpty ? nil : $0 }
        let isChosen = query.since != nil || query.until != nil || query.isUnread || query.words != nil
        query.count = invocation[last] ?? (isChosen ? nil : 20)
        return query
    }
}

extension Invocation {
    /// True if what `read` prints is shown to a person, who has read it then.
    var marksWhatIsShown: Bool {
        self[ReadCommand.mark] == nil && !self[ReadCommand.peek] && output.traits.isTerminal
    }
}
