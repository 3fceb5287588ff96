import ChatCore
import CommandKit
import JSONCoding
import SMPProtocol
import Synchronization
import SystemIO
import TerminalKit

/// `tacit fetch`
enum FetchCommand {
    static let timeout = Option<Duration>(
        "timeout", "Give up after this time; what came is kept", .duration(), default: .seconds(60),
        variable: "TACIT_TIMEOUT", isCommon: true)
    static let idle = Option<Duration>(
        "idle", "How long to wait for answers to what was sent meanwhile", .duration(), default: .zero)
    static let ifFree = Option<Bool>(
        flag: "if-free", "Do nothing if another process is receiving already", isCommon: true)
    static let jitter = Option<Duration?>(
        "jitter", "Begin after a random time up to this", .duration(), defaultText: "at once")
    static let requireSent = Option<Bool>(
        flag: "require-sent", "Exit with 75 if messages stay in the outbox", isCommon: true)
    static let exitCode = Option<Bool>(flag: "exit-code", "Exit with 1 if nothing new came", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "fetch", "Receive what waits at the relays, and send what waits in the outbox",
            promise: """
                all own queues are drained, the outbox was tried, and everything is on disk (with --require-sent: and the outbox \
                is empty; with --exec: and the program has ended with 0 for each message)
                """,
            store: .writing,
            options: [
                timeout, idle, ifFree, jitter, exitCode, requireSent, ReadCommand.cursor, ReadCommand.exec,
                FailureRule.retries, FailureRule.onFailure,
            ],
            examples: [
                Example("tacit fetch", "Receive, and print what is new"),
                Example("tacit fetch --if-free -qq --timeout 90s || [ $? -eq 75 ]", "In a cron job"),
                Example("tacit fetch -q && tacit read --last 5", "Receive silently, and look"),
                Example("tacit fetch --cursor bot --exec ./bot.sh", "Receive, and run a program for each message"),
            ],
            exits: [1, 68, 69, 75, 76, 79, 80], reports: EventPrinter.forms + FetchSummary.forms,
            discussion: """
                A message is acknowledged to the relay only after it is on disk, so it does not matter when the program ends. \
                Printing does not mark messages as read.

                A message that cannot be sent yet stays in the outbox, and does not change the exit code: its relay may be \
                unreachable, or the contact's queue full. The report counts such messages in "waiting" and gives "reasons"; \
                tacit status --check ends with 1 while messages wait. With --require-sent the exit code is 75 then.

                With --cursor and --exec nothing is printed; after receiving, the program is run for each message behind the \
                cursor, as by 'tacit read --cursor NAME --exec PROG', also if a relay was unreachable. Messages that fail are \
                treated as there.
                """),
        purpose: { _ in "fetch" },
        run: { invocation in
            try check(invocation)
            if let longest = invocation[jitter], invocation.host == nil {
                SystemClock.pause(longest * Double.random(in: 0..<1))
            }
            let counter = Counter(), isRunning = invocation[ReadCommand.exec] != nil
            do {
                let access = StoreAccess(
                    invocation, isWriting: true, lockTimeout: invocation[ifFree] ? .zero : nil,
                    attaches: !invocation[ifFree]
                ) { event in
                    counter.count(event)
                    if !invocation.isQuiet, !isRunning { EventPrinter.print(event, invocation) }
                }
                let code = try access.run { try await fetch($0, counter) }
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
        let ran = try StoreAccess(invocation, isWriting: false).run { session in
            try await session.awaitTurn()
            var reading = try await CursorReading(name, nil, session)
            return try await reading.run(try await MessageProgram(line, session), moves: true, marks: false)
        }
        return code == .ok || code == .no && ran != .ok ? ran : code
    }

    private static func fetch(_ session: StoreSession, _ counter: Counter) async throws -> ExitCode {
        let invocation = session.invocation
        session.progress.start { "fetching, \(counter.received) received" }
        let report = try await session.execute(FetchMessages(timeout: invocation[timeout], idle: invocation[idle]))
        session.progress.stop()
        if invocation.format == .text {
            FetchSummary(report: report).lines(ReportStyle(invocation)).forEach(invocation.note)
        } else if !invocation.isQuiet, invocation.format == .json {
            try invocation.print(FetchSummary(report: report))
        }
        guard report.isComplete else { return incomplete(report, invocation) }
        if invocation[requireSent], report.waiting > 0 || !report.stuck.isEmpty { return unsent(report, invocation) }
        return invocation[exitCode] && report.received == 0 ? .no : .ok
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
            if let event = event as? NewItemsEvent { messages.withLock { $0 += event.items.count } }
        }
    }
}
