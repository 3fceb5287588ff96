import ChatCore
import CommandKit
import Host
import SystemIO

/// The process that has the store open, as a command needs it.
extension HoldingProcess {
    /// Connects before a deadline.
    ///
    /// - Returns: Nil if no process takes requests there, and the lock may be free.
    /// - Throws: ``StoreInUse`` if the process is there and does not answer, or the time is up.
    func connect(
        _ loop: EventLoop, until deadline: ContinuousClock.Instant, for invocation: Invocation
    ) async throws -> RemoteStore? {
        try await connect(
            loop, until: deadline, timeout: invocation[GlobalOptions.lockTimeout], command: invocation.commandName)
    }

    /// The error for a process that does not answer.
    func silent(_ invocation: Invocation) -> StoreInUse {
        silent(after: invocation[GlobalOptions.lockTimeout], command: invocation.commandName)
    }
}

extension RemoteStore {
    /// Fails if the process is connected otherwise than the command wants to be.
    func checkRoute(_ invocation: Invocation) async throws {
        guard !invocation[GlobalOptions.offline] else { throw Reason.holderIsOnline }
        if let name = try await difference(from: invocation.environment) { throw Reason.otherRoute(name) }
    }
}

extension OpenStore {
    /// Runs the part of a command that needs the store, and waits for its end. Only for threads that may wait.
    func run<Result: Sendable>(
        _ invocation: Invocation, onEvent: @escaping @Sendable (any ChatEvent) -> Void,
        _ body: @escaping @Sendable (CommandSession) async throws -> Result
    ) throws -> Result {
        let outcome = try BlockingResult<Swift.Result<Result, any Error>>()
        loop.post { [self] in
            let progress = ProgressDisplay(invocation, loop)
            let listening = events.listen { event in
                progress.pausing {
                    invocation.trace(event)
                    onEvent(event)
                }
            }
            let session = CommandSession(self, invocation, progress)
            let task = Task(executorPreference: loop) {
                let result: Swift.Result<Result, any Error>
                do { result = .success(try await session.opening(body)) } catch { result = .failure(error) }
                progress.stop()
                listening.end()
                outcome.deliver(result)
            }
            invocation.cancellation.onRequest { task.cancel() }
        }
        return try outcome.wait().get()
    }
}

extension CommandSession {
    /// Takes the commands of other processes, and runs hooks, as long as `body` runs. In the end each caller gets an answer.
    ///
    /// - Parameter body: Gets nil if there is no place where commands could be taken.
    func hosting<Result>(_ body: (StoreReception?) async throws -> Result) async throws -> Result {
        try await host.hosting(at: try? invocation.directories(), body)
    }

    /// Keeps the sessions with the relays until the deadline, a request to end, or cancellation. Runs the commands of other processes
    /// during this time, unless another process does.
    ///
    /// - Parameters:
    ///   - files: The files that are accepted meanwhile; nil for the setting.
    ///   - takesSignals: True if signals end it in order; they end the process otherwise.
    ///   - onOpen: Called when commands are taken; with nil if there is no place where they could be.
    func receive(
        timeout: Duration? = nil, files: FileAcceptance? = nil, takesSignals: Bool = false,
        onOpen: (StoreReception?) throws -> Void = { _ in }
    ) async throws {
        let command = ReceiveMessages(timeout: timeout, files: files)
        guard invocation.host == nil, host.remote == nil else {
            _ = try await execute(command)
            return
        }
        try await host.receive(command, at: try? invocation.directories(), takesSignals: takesSignals, onOpen: onOpen)
    }
}
