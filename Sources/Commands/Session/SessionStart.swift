public import ChatCore
import CommandKit
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

    init(_ invocation: Invocation) {
        place = invocation[ReplCommand.place]
        isFresh = invocation[ReplCommand.fresh]
        keepsGoing = invocation[ReplCommand.keepGoing]
        environment = invocation.environment
        output = invocation.output
        errors = invocation.errors
        self.invocation = invocation
    }

    /// Whether there is a store; the first start makes one.
    public var hasStore: Bool {
        get throws { try invocation.storeFolder().exists }
    }

    /// Runs a command by itself, as long as no store is open: `init` above all.
    public func run(_ words: [String]) throws -> ExitCode {
        let configuration = Configuration(environment)
        guard case .run(let parsed) = try configuration.request(words, environment: environment),
            let leaf = Leaf.named(parsed.command.path)
        else { return .usage }
        let invocation = Invocation(
            parsed, environment: environment, environmentKey: self.invocation.environmentKey,
            settings: configuration.settings, output: output, errors: errors, log: invocation.log)
        guard case .code(let code) = CommandRun(leaf: leaf, invocation: invocation).carryOut() else { return .later }
        return code
    }

    /// Opens the store, with the key that is found or typed, and keeps the right to write and the sessions with the relays as
    /// long as `body` runs. Commands of other processes are carried out meanwhile. Signals are left to the session.
    public func open(_ body: @escaping @Sendable (OpenSession) async throws -> ExitCode) throws -> ExitCode {
        let access = StoreAccess(invocation, isWriting: true, watchesSignals: false)
        let environment = environment
        return try access.run { session in
            let reception = try? CommandReception(session)
            defer { reception?.close() }
            let receiving = Task(executorPreference: session.host.loop) {
                try await session.execute(.receive(timeout: .seconds(100 * 365 * 24 * 3600)))
            }
            defer { receiving.cancel() }
            return try await body(OpenSession(host: session.host, environment: environment))
        }
    }
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

    /// Runs a command line, words as they would be typed behind the name of the program.
    public func run(_ words: [String], output: Output, errors: Output, questions: Questions) async -> ExitCode {
        var command = HostedCommand(words, output: output, errors: errors, questions: questions)
        command.environment = environment.filter { $0.key.hasPrefix("TACIT_") }
        return await withCheckedContinuation { continuation in
            command.start(on: host, environment: environment) { continuation.resume(returning: $0) }
        }
    }
}
