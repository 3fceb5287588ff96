import ChatCore
import CommandKit
import Host
import JSONCoding
import SMPProtocol
import Synchronization
import SystemIO
import TerminalKit

/// `tacit fetch`
enum FetchCommand {
    static let timeout = Option<Duration>(
        "timeout", "Stop after this time; received messages are kept", .duration(), default: .seconds(60),
        variable: "TACIT_TIMEOUT", isCommon: true)
    static let idle = Option<Duration>(
        "idle", "Wait this long for replies to sent messages", .duration(), default: .zero)
    static let ifFree = Option<Bool>(
        flag: "if-free", "Do nothing if another process is receiving", isCommon: true)
    static let jitter = Option<Duration?>(
        "jitter", "Start after a random delay of at most this time", .duration(), defaultText: "no delay")
    static let requireSent = Option<Bool>(
        flag: "require-sent", "Exit with 75 if messages stay in the outbox", isCommon: true)
    static let exitCode = Option<Bool>(flag: "exit-code", "Exit with 1 if there are no new messages", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "fetch", "Receive new messages and send queued ones",
            promise: """
                all receiving queues are empty, sending was attempted, and everything is on disk (with --require-sent: the \
                outbox is empty; with --exec: the program exited with 0 for each message)
                """,
            store: .writing,
            options: [
                timeout, idle, ifFree, jitter, AcceptedFiles.option, ReadCommand.ids, exitCode, requireSent,
                ReadCommand.cursor,
                ReadCommand.exec,
                FailureRule.retries, FailureRule.onFailure,
            ],
            examples: [
                Example("tacit fetch", "Receive and print new messages"),
                Example(
                    "tacit fetch --if-free -qq --timeout 90s || [ $? -eq 75 ]",
                    "Receive from cron; mail only errors that need attention"),
                Example("tacit fetch -q && tacit read --last 5", "Receive silently, then show the last five messages"),
                Example("tacit fetch --cursor bot --exec ./bot.sh", "Receive, and run a program once per message"),
            ],
            exits: [1, 68, 69, 75, 76, 79, 80], reports: EventPrinter.forms + FetchSummary.forms,
            topics: ["files"],
            discussion: """
                A message is acknowledged to the relay only after it is on disk, so an interrupted fetch loses nothing. \
                Printing does not mark messages as read.

                A message that cannot be sent yet stays in the outbox and does not change the exit code: its relay may be \
                unreachable, or the contact's queue full. The report counts such messages in "waiting" and lists "reasons"; \
                tacit status --check exits with 1 while messages wait. With --require-sent the exit code is then 75.

                fetch also continues uploads and downloads of files. --files chooses which files it receives if they are \
                offered during this fetch: none, small, or all ('tacit help files'). It replaces file.accept of tacit.conf \
                and the setting of 'tacit file auto-accept'. 'tacit file receive' downloads the others.

                With --cursor and --exec, fetch prints no messages. After receiving, it runs the program for each message \
                after the cursor, like 'tacit read --cursor NAME --exec PROG', even if a relay was unreachable. Failures are \
                handled as described there.
                """),
        purpose: { _ in "fetch" },
        run: { invocation in
            try check(invocation)
            if let longest = invocation[jitter], invocation.host == nil {
                SystemClock.pause(longest * Double.random(in: 0..<1))
            }
            let counter = Counter(), files = FileProgress("fetching"), isRunning = invocation[ReadCommand.exec] != nil
            do {
                let access = StoreOpener(
                    invocation, isWriting: true, lockTimeout: invocation[ifFree] ? .zero : nil,
                    attaches: !invocation[ifFree]
                ) { event in
                    counter.count(event)
                    files.note(event)
                    if !invocation.isQuiet, !isRunning {
                        EventPrinter.print(event, invocation, relays: .withoutFailures)
                    }
                }
                let code = try access.run { try await fetch($0, counter, files) }
                return try runProgram(invocation, after: code)
            } catch is StoreInUse where invocation[ifFree] {
                invocation.trace("another process is receiving")
                return .ok
            }
        })

    private static func check(_ invocation: Invocation) throws(Failure) {
        try FailureRule.check(invocation)
        guard (invocation[ReadCommand.cursor] == nil) == (invocation[ReadCommand.exec] == nil) else {
            throw Failure.cursorOrProgramMissing
        }
        if invocation[ReadCommand.cursor]?.isEmpty == true {
            throw Failure.emptyCursorName
        }
    }

    /// Runs the program of `--exec` for each message behind the cursor. The store is not locked meanwhile: the program may use
    /// it.
    private static func runProgram(_ invocation: Invocation, after code: ExitCode) throws -> ExitCode {
        guard let name = invocation[ReadCommand.cursor], let line = invocation[ReadCommand.exec] else { return code }
        let ran = try StoreOpener(invocation, isWriting: false).run { session in
            try await session.awaitTurn()
            var reading = try await CursorReading(name, nil, session)
            return try await reading.run(try await MessageProgram(line, session), moves: true, marks: false)
        }
        return code == .ok || code == .no && ran != .ok ? ran : code
    }

    private static func fetch(
        _ session: CommandSession, _ counter: Counter, _ files: FileProgress
    ) async throws -> ExitCode {
        let invocation = session.invocation
        session.progress.start {
            files.share == nil ? ProgressStep(text: "fetching, \(counter.received) received") : files.step
        }
        let report = try await session.execute(
            FetchMessages(
                timeout: invocation[timeout], idle: invocation[idle],
                files: invocation[AcceptedFiles.option]?.acceptance))
        session.progress.stop()
        try await session.tellConditions()
        let summary = FetchSummary(
            report: report, outOfStep: report.waiting > 0 ? try await waitingOutOfStep(session) : [])
        if invocation.format == .text {
            summary.lines(ReportStyle(invocation)).forEach(invocation.note)
        } else if !invocation.isQuiet, invocation.format == .json {
            try invocation.print(summary)
        }
        guard report.isComplete else { return incomplete(report, invocation) }
        if invocation[requireSent], report.waiting > 0 || !report.stuck.isEmpty { return unsent(report, invocation) }
        return invocation[exitCode] && report.received == 0 ? .no : .ok
    }

    /// The contacts with queued messages whose encryption has to be renegotiated.
    private static func waitingOutOfStep(_ session: CommandSession) async throws -> [Contact] {
        var contacts: [Contact] = []
        for item in try await OutboxListCommand.all(session) {
            guard let contact = item.chat.contact, contact.has(.outOfStep),
                !contacts.contains(where: { $0.id == contact.id })
            else { continue }
            contacts.append(contact)
        }
        return contacts
    }

    private static func incomplete(_ report: FetchReport, _ invocation: Invocation) -> ExitCode {
        let unreachable = report.obstacles.filter(\.isForReceiving)
        guard !unreachable.isEmpty else {
            return invocation.report(
                Reason.fetchTimeout.failure(during: "fetch everything"))
        }
        return .worst(
            of: unreachable.map {
                // The relay stands in the first line.
                var reason = Reason($0.problem)
                reason.details.set("relay", $0.server.place)
                return invocation.report(reason.failure(during: "fetch from '\($0.server.place)'"))
            })
    }

    /// The end with `--require-sent` if messages stay in the outbox.
    private static func unsent(_ report: FetchReport, _ invocation: Invocation) -> ExitCode {
        return invocation.report(
            Reason.unsent(report).failure(during: "send everything"))
    }

    /// How many messages came so far, for the line of progress.
    private final class Counter: Sendable {
        private let messages = Mutex(0)

        var received: Int { messages.withLock { $0 } }

        func count(_ event: any ChatEvent) {
            if let event = event as? NewItemsEvent { messages.withLock { $0 += event.visibleItems.count } }
        }
    }
}
