public import ChatCore
import CommandKit
import RemoteCore
import Synchronization
public import SystemIO
public import TerminalKit

/// An open store and its commands, for a session.
///
/// The store is open for writing in this process, or in another one, the holder: then this process reads it itself, has the
/// holder change it, and hears from it what happens. Sessions need not know which.
public struct OpenSession: Sendable {
    let host: StoreHost
    let environment: [String: String]
    /// The password of the profile that the user named, if they gave one.
    var profilePassword: String?
    /// What receives in this process, if it is the one that has the store open.
    var receiving: Task<Void, any Error>?

    /// What a session was to do when something failed, behind "cannot".
    static let purpose = "do that"
    /// How such an error begins.
    public static let opening = "tacit: cannot \(purpose): "

    public var loop: EventLoop { host.loop }
    /// What it is told apart by from those in other processes.
    private var id: ObjectIdentifier { ObjectIdentifier(host) }

    // MARK: - Commands of the core

    /// Has the core carry out a command.
    @discardableResult
    public func execute<Command: ChatCommand>(_ command: Command) async throws(ChatError) -> Command.Response {
        try await host.execute(command, for: id)
    }

    // MARK: - What happens

    /// Calls `listener` on the loop's thread with what follows from each event from now on, until the listening ends.
    public func listen(_ listener: @escaping @Sendable (SessionEffect) -> Void) -> SessionListening {
        let id = id
        return SessionListening([
            host.events.listen { if let effect = $0.effect { listener(effect) } }.end,
            host.changes.listen { if $0.session != id { listener($0.effect) } }.end,
        ])
    }

    /// Calls `wish` on the loop's thread when another process wants this one to end (`tacit daemon stop`).
    public func whenStopped(_ wish: @escaping @Sendable () -> Void) {
        // Commands of others run on threads of their own.
        host.process.onWish(takesSignals: false) { [loop] _ in loop.post { wish() } }
    }

    /// Calls `notice` on the loop's thread when the process that has the store open has ended and the store can be opened anew, here
    /// or beside another one. In between nothing can be changed.
    public func whenHolderEnds(_ notice: @escaping @Sendable () -> Void) async {
        guard let remote = host.remote else { return }
        let succession = Succession(host.folder, former: remote.process.holder, host.loop)
        await remote.whenEnded { succession.wait(then: notice) }
    }

    /// What the process does that has the store open, as it was typed; nil if it is this one.
    public var holderCommand: String? {
        host.remote.map { $0.process.holder.command.map { "tacit \($0)" } ?? "tacit" }
    }

    // MARK: - Command lines

    /// Runs a command line, words as they would be typed behind the name of the program. It ends early if the task is
    /// cancelled.
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

    /// What ends the command that runs, as soon as that is known.
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

    // MARK: - Words

    /// An error as a person sees it.
    public func failure(_ error: any Error) -> Failure {
        if case ChatError.holder(.ended) = error {
            return Reason.replacedHolder.failure(during: OpenSession.purpose)
        }
        return Explained(error).failure(during: OpenSession.purpose)
    }

    /// There is no profile of a name that was given at the start.
    public func unknownProfile(_ name: String, among known: [String]) -> Failure {
        Explained(Reason.unknownProfile(name, known: known, ReplCommand.leaf.command)).failure(during: "open a session")
    }

    /// An error that ends the session, as a person sees it.
    public func ending(_ error: any Error) -> Failure {
        Explained(error).failure(during: "go on")
    }
}

/// The wish of a session to be told what happens, until it is taken back.
public final class SessionListening: Sendable {
    private let endings: [@Sendable () -> Void]

    init(_ endings: [@Sendable () -> Void]) {
        self.endings = endings
    }

    public func end() {
        for end in endings { end() }
    }
}
