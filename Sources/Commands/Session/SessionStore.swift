public import ChatCore
import CommandKit
public import Host
import Synchronization
public import SystemIO
public import TerminalKit

/// An open store and its commands, for a session.
///
/// The store is open for writing in this process, or in another one, the holder: then this process reads it itself, has the
/// holder change it, and hears from it what happens. Sessions need not know which.
public struct SessionStore: Core {
    let host: OpenStore
    let environment: [String: String]
    /// The password of the profile that the command line names; nil if it has none.
    var profilePassword: String?
    /// The reception of messages; nil if another process has the store open.
    var receiving: Task<Void, any Error>?

    /// The operation in the first line of an error, behind "cannot".
    static let purpose = "do that"
    /// The beginning of such a line.
    public static let opening = "tacit: cannot \(purpose): "

    public var loop: EventLoop { host.loop }

    /// Calls `guide` on the loop's thread with what other processes ask the session to show (`tacit open`).
    public func whenVisited(_ guide: @escaping SessionVisits.Guide) {
        host.visits.begin(guide)
    }

    /// Tells its own changes from those of other sessions.
    private var id: ObjectIdentifier { ObjectIdentifier(host) }

    // MARK: - Commands of the core

    /// Carries out a command of the core.
    @discardableResult
    public func execute<Command: ChatCommand>(_ command: Command) async throws(ChatError) -> Command.Response {
        try await host.execute(command, for: id)
    }

    // MARK: - Events

    /// Calls `listener` on the loop's thread with what follows from each event from now on, until the listening ends.
    public func listen(_ listener: @escaping @Sendable (SessionEffect) -> Void) -> SessionListening {
        let id = id
        return SessionListening([
            host.events.listen { if let effect = $0.effect { listener(effect) } }.end,
            host.changes.listen { if $0.session != id { listener($0.effect) } }.end,
        ])
    }

    /// Calls `notice` on the loop's thread when another process requests the end of this one (`tacit daemon stop`).
    public func whenStopped(_ notice: @escaping @Sendable () -> Void) {
        // Commands of other processes run on threads of their own.
        host.process.onRequest(takesSignals: false) { [loop] _ in loop.post { notice() } }
    }

    /// Calls `notice` on the loop's thread when the process that has the store open has ended and the store can be opened again, here
    /// or beside another process. Until then nothing can be changed.
    public func whenHolderEnds(_ notice: @escaping @Sendable () -> Void) async {
        guard let remote = host.remote else { return }
        // A service does not restart a session.
        let isSession = remote.process.holder.command == ReplCommand.name
        let takeover = StoreTakeover(host.folder, host.loop, grace: isSession ? .zero : StoreTakeover.grace)
        await remote.whenEnded { takeover.wait(then: notice) }
    }

    /// The command line of the process that has the store open; nil if it is this process.
    public var holderCommand: String? {
        host.remote.map { $0.process.holder.command.map { "tacit \($0)" } ?? "tacit" }
    }

    // MARK: - Command lines

    /// Runs a command line, given as words without the name of the program. Cancelling the task cancels the command.
    public func run(_ words: [String], output: Output, errors: Output, questions: Questions) async -> ExitCode {
        var command = InnerCommand(words, output: output, errors: errors, questions: questions)
        command.profilePassword = profilePassword
        let running = Running(), started = command
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                running.set(started.start(on: host, environment: environment) { continuation.resume(returning: $0) })
            }
        } onCancel: {
            running.cancel()
        }
    }

    /// The cancellation of a command, which may be requested before the command has started.
    private final class Running: Sendable {
        private let state = Mutex<(cancellation: Cancellation?, isCancelled: Bool)>((nil, false))

        func set(_ cancellation: Cancellation?) {
            let isCancelled = state.withLock { state in
                state.cancellation = cancellation
                return state.isCancelled
            }
            if isCancelled { cancellation?.request() }
        }

        func cancel() {
            let cancellation = state.withLock { state in
                state.isCancelled = true
                return state.cancellation
            }
            cancellation?.request()
        }
    }

    // MARK: - Errors

    /// Returns the report of an error in a command of the session.
    public static func failure(_ error: any Error) -> Failure {
        if case ChatError.holder(.ended) = error {
            return Reason.replacedHolder.failure(during: SessionStore.purpose)
        }
        return Explained(error).failure(during: SessionStore.purpose)
    }

    /// Returns the report of an error in the background, with what failed.
    public static func failure(_ error: any Error, during purpose: String) -> Failure {
        Explained(error).failure(during: purpose)
    }

    /// Returns the report of a profile name that the store does not have.
    public func unknownProfile(_ name: String, among known: [String]) -> Failure {
        Explained(Reason.unknownProfile(name, known: known, ReplCommand.leaf.command)).failure(during: "open a session")
    }

    /// Returns the report of an error that ends the session.
    public func ending(_ error: any Error) -> Failure {
        Explained(error).failure(during: "continue")
    }
}

/// The listeners of a session, until it ends them.
public final class SessionListening: Sendable {
    private let endings: [@Sendable () -> Void]

    init(_ endings: [@Sendable () -> Void]) {
        self.endings = endings
    }

    public func end() {
        for end in endings { end() }
    }
}
