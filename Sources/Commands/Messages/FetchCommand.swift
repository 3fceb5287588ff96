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
    static let exitCode = Option<Bool>(flag: "exit-code", "Exit with 1 if nothing new came", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "fetch", "Receive what waits at the relays, and send what waits in the outbox",
            promise: "all queues are drained, the outbox was tried, and everything is on disk", store: .writing,
            options: [timeout, idle, ifFree, jitter, exitCode],
            examples: [
                Example("tacit fetch", "Receive, and print what is new"),
                Example("tacit fetch --if-free -qq --timeout 90s || [ $? -eq 75 ]", "In a cron job"),
                Example("tacit fetch -q && tacit read --last 5", "Receive silently, and look"),
            ],
            exits: [1, 68, 69, 75, 76, 79], reports: EventPrinter.forms + FetchSummary.forms,
            discussion: """
                A message is acknowledged to the relay only after it is on disk, so it does not matter when the program ends. \
                Printing does not mark messages as read.
                """),
        purpose: { _ in "fetch" },
        run: { invocation in
            if let longest = invocation[jitter] { SystemClock.pause(longest * Double.random(in: 0..<1)) }
            let counter = Counter()
            do {
                let access = StoreAccess(
                    invocation, isWriting: true, lockTimeout: invocation[ifFree] ? .zero : nil
                ) { event in
                    counter.count(event)
                    if !invocation.isQuiet { EventPrinter.print(event, invocation) }
                }
                return try access.run { try await fetch($0, counter) }
            } catch  where invocation[ifFree] && (error is StoreInUse || error is StoreIsHosted) {
                invocation.trace("another process is receiving")
                return .ok
            }
        })

    private static func fetch(_ session: StoreSession, _ counter: Counter) async throws -> ExitCode {
        let invocation = session.invocation
        session.progress.start { "fetching, \(counter.received) received" }
        let command = ChatCommand.fetch(timeout: invocation[timeout], idle: invocation[idle])
        let response = try await session.execute(command)
        session.progress.stop()
        guard case .fetched(let report) = response else { throw UnexpectedResponse() }
        if invocation.format == .text {
            FetchSummary(report: report).lines(ReportStyle(invocation)).forEach(invocation.note)
        } else if !invocation.isQuiet, invocation.format == .json {
            try invocation.print(FetchSummary(report: report))
        }
        guard report.isComplete else { return incomplete(report, invocation) }
        return invocation[exitCode] && report.received == 0 ? .no : .ok
    }

    private static func incomplete(_ report: FetchReport, _ invocation: Invocation) -> ExitCode {
        guard !report.obstacles.isEmpty else {
            return invocation.report(
                Reason(
                    "fetch.timeout", .later, "there was not enough time", why: ["what came is stored"],
                    tries: [.init("tacit fetch --timeout 5m", "take more time")]
                ).failure(during: "fetch everything"))
        }
        return .worst(
            of: report.obstacles.map {
                // The relay stands in the first line.
                var reason = Reason($0.problem)
                reason.details.set("relay", $0.server.place)
                // What waits in the outbox may be held up, not what comes.
                let step = $0.problem == .full ? "send through" : "fetch from"
                return invocation.report(reason.failure(during: "\(step) '\($0.server.place)'"))
            })
    }

    /// How many messages came so far, for the line of progress.
    private final class Counter: Sendable {
        private let messages = Mutex(0)

        var received: Int { messages.withLock { $0 } }

        func count(_ event: ChatEvent) {
            if case .newItems(_, let items) = event { messages.withLock { $0 += items.count } }
        }
    }
}
