import AgentProtocol
import ChatCore
import CommandKit
import Synchronization
import SystemIO
import TerminalKit

/// `tacit watch`
enum WatchCommand {
    static let targets = Positional<[Target]>(
        repeated: "TARGET", "Only events of these chats", .target(), minimum: 0)
    static let timeout = Option<Duration?>(
        "timeout", "Stop after this time", .duration(), defaultText: "run until stopped", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "watch", "Receive continuously and print events",
            promise: "watch was stopped by --timeout or tacit daemon stop", store: .writing, positionals: [targets],
            options: [
                timeout, AcceptedFiles.option, ReadCommand.ids, ReadCommand.cursor, ReadCommand.exec,
                FailureRule.retries,
                FailureRule.onFailure,
            ],
            examples: [
                Example("tacit watch", "Print all events until Ctrl-C"),
                Example("tacit watch --timeout 1s", "Stop after one second"),
                Example(
                    "tacit watch @alice --json | while read -r line; do echo \"$line\"; done",
                    "Pass events of one contact to a script"),
                Example("tacit watch --cursor bot --exec ./bot.sh", "Run a program once per message, live"),
            ],
            exits: [67, 69, 75, 80], reports: EventPrinter.forms, topics: ["scripting"],
            discussion: """
                watch stays connected to the relays, sends queued messages, and retries after failures. Everything is in the \
                store before it is printed: tacit read shows it later.

                A line on standard error says when a relay cannot be reached, and when it can be reached again. With --json, \
                the events relay.unreachable and relay.reachable say so too.

                Ctrl-C or SIGTERM stops watch with the usual exit code (130, 143), and so does a reader of its output that \
                exits (141). Other commands keep working while watch runs: they use its open store. If a daemon runs, watch \
                prints the events that the daemon receives.

                --files chooses which files are received while watch runs ('tacit help files'). It replaces file.accept of \
                tacit.conf and the setting of 'tacit file auto-accept'.

                With --cursor, watch prints only messages, like 'tacit read --cursor': first those after the cursor, then new \
                ones. With --exec, the program runs once per message. If it fails, watch exits with 75, and the next run \
                starts with the same message. With --retries, watch pauses for 1 s and runs the program again; each pause is \
                twice as long as the last, up to 60 s. When no retries are left, watch exits with 69; with --on-failure skip, \
                it skips the message and exits with 80 later.
                """),
        purpose: { _ in "watch" },
        run: { invocation in
            try check(invocation)
            var invocation = invocation
            // Others have their commands carried out here, whether or not somebody reads on.
            if invocation.host == nil { invocation.output = Output(inBackground: invocation.output) }
            let code = try run(invocation)
            try invocation.output.finish()
            return code
        })

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        if let name = invocation[ReadCommand.cursor] { return try follow(name, invocation) }
        let filter = Filter()
        // Whoever reads may be gone long before anything comes.
        return try StoreOpener(
            invocation, isWriting: true, onEvent: { event in print(event, filter, invocation) }
        ).run { try await watch($0, filter) }
    }

    /// What excludes each other.
    private static func check(_ invocation: Invocation) throws(Failure) {
        try FailureRule.check(invocation)
        guard let name = invocation[ReadCommand.cursor] else {
            guard invocation[ReadCommand.exec] == nil else {
                throw Failure.programWithoutCursor
            }
            return
        }
        guard !name.isEmpty else { throw Failure.emptyCursorName }
        guard invocation[targets].count <= 1 else {
            throw Failure.cursorThroughSome
        }
    }

    /// Everything behind a cursor, and then what comes.
    private static func follow(_ name: String, _ invocation: Invocation) throws -> ExitCode {
        let live = LiveReading()
        return try StoreOpener(
            invocation, isWriting: true,
            onEvent: { event in
                EventPrinter.note(event, invocation)
                live.note(event)
            }
        ).run { session in
            let (cursor, program) = try await begin(name, session)
            let reader = program == nil ? try session.watchReader() : nil
            defer { withExtendedLifetime(reader) {} }
            invocation.note(StyledText("watching; Ctrl-C stops", .muted))
            return try await live.run(cursor, program, timeout: invocation[timeout], session)
        }
    }

    private static func begin(
        _ name: String, _ session: CommandSession
    ) async throws -> (CursorReading, MessageProgram?) {
        let cursor = try await CursorReading(name, session.invocation[targets].first, session)
        guard let line = session.invocation[ReadCommand.exec] else { return (cursor, nil) }
        return (cursor, try await MessageProgram(line, session))
    }

    private static func watch(_ session: CommandSession, _ filter: Filter) async throws -> ExitCode {
        let invocation = session.invocation
        var chats: Set<ChatReference> = []
        for target in invocation[targets] { chats.insert(try await session.chat(target).reference) }
        filter.set(chats.isEmpty ? nil : chats)
        let reader = try session.watchReader()
        defer { withExtendedLifetime(reader) {} }
        invocation.note(StyledText("watching; Ctrl-C stops", .muted))
        try await session.receive(
            timeout: invocation[timeout], files: invocation[AcceptedFiles.option]?.acceptance)
        return .ok
    }

    /// Prints an event if it is wanted. When nobody takes it any more there is nothing left to do here: what came is in the
    /// store.
    private static func print(_ event: any ChatEvent, _ filter: Filter, _ invocation: Invocation) {
        guard !invocation.isQuiet else { return }
        EventPrinter.print(event, invocation, only: filter.chats, relays: .all)
        do throws(OutputError) {
            try invocation.output.flush()
        } catch {
            // Elsewhere nobody watches any more.
            guard invocation.host == nil else { return invocation.cancellation.request() }
            guard error != .closed else { ProcessEnding.closedPipe() }
            ProcessEnding.exit(invocation.report(Explained(error).failure(during: "print events")).rawValue)
        }
    }

    /// Whose events are printed; nil for everybody's.
    private final class Filter: Sendable {
        private let selected = Mutex<Set<ChatReference>?>(nil)

        var chats: Set<ChatReference>? { selected.withLock { $0 } }

        func set(_ chats: Set<ChatReference>?) { selected.withLock { $0 = chats } }
    }
}

extension CommandSession {
    /// Ends the process when the reader of standard output goes away, which a pipe tells only who asks.
    fileprivate func watchReader() throws -> ReaderWatch? {
        invocation.host == nil ? ReaderWatch(progress.loop) : nil
    }
}

/// Watches over the other end of standard output, as long as it lives.
final class ReaderWatch {
    private let loop: EventLoop

    /// Nil for an output of which nobody can be the reader: a file.
    fileprivate init?(_ loop: EventLoop) {
        self.loop = loop
        do throws(SystemError) {
            // Nothing is waited for but the end, which the system always reports.
            try loop.watch(1, for: []) { _ in ProcessEnding.closedPipe() }
        } catch {
            return nil
        }
    }

    deinit { loop.unwatch(1) }
}
