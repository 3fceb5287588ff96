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
            options: [timeout],
            examples: [
                Example("tacit watch", "Everything, until Ctrl-C"),
                Example("tacit watch --timeout 1s", "For a while"),
                Example("tacit watch @alice --json | while read -r line; do echo \"$line\"; done", "For a script"),
            ],
            exits: [67, 69, 75], reports: EventPrinter.forms, topics: ["scripting"],
            discussion: """
                It keeps its sessions with the relays, sends what is in the outbox, and tries again what fails. Everything is \
                in the store before it is printed: who is not watching reads it later, with tacit read.

                It ends by Ctrl-C or SIGTERM, with the code that shells know (130, 143), and when nobody reads its output any \
                more. While it runs, other commands work as ever: it carries them out for them. If a daemon runs, watch shows \
                what the daemon receives.
                """),
        purpose: { _ in "watch" },
        run: { invocation in
            let filter = Filter()
            // Whoever reads may be gone long before anything comes.
            return try StoreAccess(
                invocation, isWriting: true, onEvent: { event in print(event, filter, invocation) }
            ).run { try await watch($0, filter) }
        })

    private static func watch(_ session: StoreSession, _ filter: Filter) async throws -> ExitCode {
        let invocation = session.invocation
        var contacts: Set<ContactID> = []
        for target in invocation[targets] { contacts.insert(try await session.contact(target).id) }
        filter.set(contacts.isEmpty ? nil : contacts)
        let reader = try session.watchReader()
        defer { withExtendedLifetime(reader) {} }
        invocation.note(StyledText("watching; Ctrl-C ends it", .muted))
        try await session.receive(timeout: invocation[timeout])
        return .ok
    }

    /// Prints an event if it is wanted. When nobody takes it any more there is nothing left to do here: what came is in the
    /// store.
    private static func print(_ event: ChatEvent, _ filter: Filter, _ invocation: Invocation) {
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
