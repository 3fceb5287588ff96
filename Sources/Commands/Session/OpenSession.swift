public import ChatCore
import CommandKit
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
    var receiving: Task<FetchReport, any Error>?

    /// What a session was to do when something failed, behind "cannot".
    static let purpose = "do that"
    /// How such an error begins.
    public static let opening = "tacit: cannot \(purpose): "

    public var loop: EventLoop { host.loop }
    /// What it is told apart by from those in other processes.
    private var id: ObjectIdentifier { ObjectIdentifier(host) }

    // MARK: - Commands of the core

    /// Has the core carry out a command that only reads.
    public func execute(_ command: CoreCommand) async throws(ChatError) -> CoreResponse {
        try await host.core.execute(command)
    }

    /// Has the core carry out a command that changes something, and returns the entries that were written or changed, as they
    /// are then.
    @discardableResult
    public func change(_ command: CoreCommand) async throws -> [LocatedItem] {
        guard let holder = host.holder else { return try await host.execute(command, for: id).items }
        var items: [LocatedItem] = []
        for id in try await holder.change(command) { if let item = await item(id) { items.append(item) } }
        return items
    }

    /// Has the core carry out a typed command: one that reads here, another one where the store is open for writing.
    @discardableResult
    public func execute<Command: ChatCommand>(_ command: Command) async throws -> Command.Response {
        if let holder = host.holder, Command.access == .write { return try await holder.execute(command) }
        return try await host.execute(command, for: id)
    }

    private func item(_ id: ChatItemID) async -> LocatedItem? {
        (try? await execute(ShowItem(id)))?.items.first
    }

    // MARK: - What happens

    /// Calls `listener` on the loop's thread with each event from now on, until it is taken back.
    ///
    /// - Throws: If the process that has the store open does not tell.
    public func listen(_ listener: @escaping @Sendable (SessionEvent) -> Void) async throws -> SessionListening {
        guard let holder = host.holder else {
            let id = id
            return SessionListening([
                host.events.listen { if let event = SessionEvent($0) { listener(event) } }.end,
                host.changes.listen { if $0.session != id { listener($0.event) } }.end,
            ])
        }
        let listening = SessionListening([])
        try await holder.listen({ await item($0) }) { if !listening.hasEnded { listener($0) } }
        return listening
    }

    /// Calls `wish` on the loop's thread when another process wants this one to end (`tacit daemon stop`).
    public func whenStopped(_ wish: @escaping @Sendable () -> Void) {
        // Commands of others run on threads of their own.
        host.process.onWish(takesSignals: false) { [loop] _ in loop.post { wish() } }
    }

    /// Calls `notice` on the loop's thread when the holder has ended and the store can be opened anew, here or beside another
    /// holder. In between nothing can be changed.
    public func whenHolderEnds(_ notice: @escaping @Sendable () -> Void) async {
        await host.holder?.whenEnded(notice)
    }

    /// What the holder does, as it was typed; nil if this process is the holder.
    public var holderCommand: String? { host.holder?.command }

    // MARK: - Command lines

    /// Runs a command line, words as they would be typed behind the name of the program. It ends early if the task is
    /// cancelled.
    public func run(_ words: [String], output: Output, errors: Output, questions: Questions) async -> ExitCode {
        var command = HostedCommand(words, output: output, errors: errors, questions: questions)
        command.environment = environment.filter { $0.key.hasPrefix("TACIT_") }
        command.profilePassword = profilePassword
        if let holder = host.holder, command.isForHolder(environment) { return await holder.run(command) }
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
        Explained(error).failure(during: OpenSession.purpose)
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
    private let isOver = Mutex(false)

    init(_ endings: [@Sendable () -> Void]) {
        self.endings = endings
    }

    var hasEnded: Bool { isOver.withLock { $0 } }

    public func end() {
        for end in endings { end() }
        isOver.withLock { $0 = true }
    }
}
