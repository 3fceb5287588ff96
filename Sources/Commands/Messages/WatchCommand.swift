import AgentProtocol
import ChatCore
import CommandKit
import Synchronization
import SystemIO
import TerminalKit

/// `tacit watch`
enum WatchCommand {
    static let targets = Positional<[Target]>(
        repeated: "TARGET", "Only what comes from these", .target(), minimum: 0)
    static let timeout = Option<Duration?>(
        "timeout", "End after this time", .duration(), defaultText: "when it is told to", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "watch", "Receive until it is stopped, and print what happens",
            promise: "it was stopped by --timeout or tacit daemon stop", store: .writing, positionals: [targets],
            options: [timeout, ReadCommand.cursor, ReadCommand.exec, FailureRule.retries, FailureRule.onFailure],
            examples: [
                Example("tacit watch", "Everything, until Ctrl-C"),
                Example("tacit watch --timeout 1s", "For a while"),
                Example("tacit watch @alice --json | while read -r line; do echo \"$line\"; done", "For a script"),
                Example("tacit watch --cursor bot --exec ./bot.sh", "A run of the program for each message, live"),
            ],
            exits: [67, 69, 75, 80], reports: EventPrinter.forms, topics: ["scripting"],
            discussion: """
                It keeps its sessions with the relays, sends what is in the outbox, and tries again what fails. Everything is \
                in the store before it is printed: who is not watching reads it later, with tacit read.

                It ends by Ctrl-C or SIGTERM, with the code that shells know (130, 143), and when nobody reads its output any \
                more. While it runs, other commands work as ever: it carries them out for them. If a daemon runs, watch shows \
                what the daemon receives.

                With --cursor, messages are printed as 'tacit read --cursor' does, and nothing else: first those that came \
                since the cursor was moved last, and then what comes. With --exec the program is run for each of them. If \
                it fails, watch ends with 75, and the next time begins with that message. With --retries, watch pauses for \
                1 s and runs the program again; each pause is twice as long as the one before, up to 60 s. When no retries \
                are left, watch ends with 69, or skips the message with --on-failure skip and ends with 80 later.
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
        return try StoreAccess(
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
        return try StoreAccess(invocation, isWriting: true, onEvent: { live.note($0) }).run { session in
            let (cursor, program) = try await begin(name, session)
            let reader = program == nil ? try session.watchReader() : nil
            defer { withExtendedLifetime(reader) {} }
            invocation.note(StyledText("watching; Ctrl-C ends it", .muted))
            return try await live.run(cursor, program, timeout: invocation[timeout], session)
        }
    }

    private static func begin(
        _ name: String, _ session: StoreSession
    ) async throws -> (CursorReading, MessageProgram?) {
        let cursor = try await CursorReading(name, session.invocation[targets].first, session)
        guard let line = session.invocation[ReadCommand.exec] else { return (cursor, nil) }
        return (cursor, try await MessageProgram(line, session))
    }

    private static func watch(_ session: StoreSession, _ filter: Filter) async throws -> ExitCode {
        let invocation = session.invocation
        var contacts: Set<ContactID> = []
        for target in invocation[targets] { contacts.insert(try await session.chat(target).id) }
        filter.set(contacts.isEmpty ? nil : contacts)
        let reader = try session.watchReader()
        defer { withExtendedLifetime(reader) {} }
        invocation.note(StyledText("watching; Ctrl-C ends it", .muted))
        try await session.receive(timeout: invocation[timeout])
        return .ok
    }

    /// Prints an event if it is wanted. When nobody takes it any more there is nothing left to do here: what came is in the
    /// store.
    private static func print(_ event: any ChatEvent, _ filter: Filter, _ invocation: Invocation) {
        guard !invocation.isQuiet else { return }
        EventPrinter.print(event, invocation, only: filter.contacts)
        do throws(OutputError) {
            try invocation.output.flush()
        } catch {
            // Elsewhere nobody watches any more.
            guard invocation.host == nil else { return invocation.cancellation.request() }
            guard error != .closed else { ProcessEnding.closedPipe() }
            ProcessEnding.exit(invocation.report(Explained(error).failure(during: "print what happens")).rawValue)
        }
    }

    /// Whose events are printed; nil for everybody's.
    private final class Filter: Sendable {
        private let wish = Mutex<Set<ContactID>?>(nil)

        var contacts: Set<ContactID>? { wish.withLock { $0 } }

        func set(_ contacts: Set<ContactID>?) { wish.withLock { $0 = contacts } }
    }
}

extension StoreSession {
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
