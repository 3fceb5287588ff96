public import ChatCore
import CommandKit
import Synchronization
public import SystemIO
public import TerminalKit

/// The session for people, which stands above the commands: it gets what it needs to begin, and returns when it has ended.
public typealias SessionFace = @Sendable (SessionStart) throws -> ExitCode

/// What a session begins with: what was asked for, and no store yet.
public struct SessionStart: Sendable {
    /// Where to begin, if the user said so: the text of a path.
    public let place: String?
    /// Whether to begin at the top, whatever the last session left.
    public let isFresh: Bool
    /// Whether lines that fail are no reason to stop, where lines come from a pipe.
    public let keepsGoing: Bool
    public let environment: [String: String]
    public let output: Output
    public let errors: Output
    let invocation: Invocation
    /// What opens a store that was made just now.
    var freshKey: OpenedKey?

    init(_ invocation: Invocation) {
        place = invocation[ReplCommand.place]
        isFresh = invocation[ReplCommand.fresh]
        keepsGoing = invocation[ReplCommand.keepGoing]
        environment = invocation.environment
        output = invocation.output
        errors = invocation.errors
        self.invocation = invocation
    }

    /// Opens the store, with the key that is found or typed, and keeps the right to write and the sessions with the relays as
    /// long as `body` runs. Commands of other processes are carried out meanwhile. Signals are left to the session.
    ///
    /// An erasure puts an empty store in the place of this one, and `body` is called again.
    public func open(_ body: @escaping @Sendable (OpenSession) async throws -> SessionOutcome) throws -> ExitCode {
        let access = StoreAccess(invocation, isWriting: true, watchesSignals: false)
        let opening = try access.open(with: freshKey)
        while true {
            switch try run(body, access, opening) {
            case .ended(let code): return code
            case .erasure(let values): try access.replaceByEmpty(opening, values)
            }
        }
    }

    private func run(
        _ body: @escaping @Sendable (OpenSession) async throws -> SessionOutcome, _ access: StoreAccess,
        _ opening: StoreAccess.Opening
    ) throws -> SessionOutcome {
        let environment = environment
        return try access.run(on: opening) { session in
            try await session.hosting { _ in
                let receiving = Task(executorPreference: session.host.loop) {
                    try await session.execute(.receive(timeout: nil))
                }
                defer { receiving.cancel() }
                return try await body(OpenSession(host: session.host, environment: environment))
            }
        }
    }
}

/// What a session leaves behind.
public enum SessionOutcome: Sendable {
    case ended(ExitCode)
    /// The passcode was typed that destroys everything. The values are for the empty store.
    case erasure([SessionKey: String])
}

/// An open store and its commands, for a session.
public struct OpenSession: Sendable {
    public let host: StoreHost
    let environment: [String: String]

    public var loop: EventLoop { host.loop }

    /// Has the core carry out a command.
    public func execute(_ command: ChatCommand) async throws(ChatError) -> ChatResponse {
        try await host.core.execute(command)
    }

    /// Calls `wish` when another process wants this one to end (`tacit daemon stop`).
    public func whenStopped(_ wish: @escaping @Sendable () -> Void) {
        host.process.onWish(takesSignals: false) { _ in wish() }
    }

    /// Runs a command line, words as they would be typed behind the name of the program. It ends early if the task is
    /// cancelled.
    public func run(_ words: [String], output: Output, errors: Output, questions: Questions) async -> ExitCode {
        var command = HostedCommand(words, output: output, errors: errors, questions: questions)
        command.environment = environment.filter { $0.key.hasPrefix("TACIT_") }
        let running = Running()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                running.set(command.start(on: host, environment: environment) { continuation.resume(returning: $0) })
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

    /// Something that happened besides messages, in a line; nil for what no person waits for.
    public func sentence(about event: ChatEvent) -> StyledText? {
        EventReport(event)?.sentenceWithSubject
    }

    /// An error as a person sees it; `purpose` is what was to be done.
    public func failure(_ error: any Error, during purpose: String) -> Failure {
        Explained(error).failure(during: purpose)
    }
}
