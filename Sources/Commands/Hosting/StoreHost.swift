import ChatCore
import CommandKit
import Host
public import SystemIO
import TerminalKit

/// An open store, and the core that carries out commands on it: in this process, or in another one that has it open for writing.
///
/// Commands of this process run on it one after the other; those of other processes come over the control socket as texts
/// of the core.
public final class StoreHost: Sendable {
    /// What carries out commands.
    let core: any Core
    /// The core of this process; nil where everything is done elsewhere.
    let local: LocalCore?
    /// The core of the process that has the store open for writing, if that is another one.
    let remote: RemoteHost?
    public let loop: EventLoop
    let folder: StoreFolder
    /// What happens in the store, when it is on disk.
    let events: Listeners<any ChatEvent>
    /// What people do in the store.
    let changes: Listeners<SessionChange>
    /// The way to the session that has it open.
    let visits: SessionVisits
    let process: HostProcess
    /// How it is connected.
    let network: NetworkSettings
    /// What opens the store, for a command that opens it once more.
    let key: OpenedKey?
    private let lock: Held<StoreLock>?
    private let hooks: HookRunner?

    /// A store that is open in this process.
    init(
        _ core: LocalCore, _ folder: StoreFolder, _ loop: EventLoop, _ events: Listeners<any ChatEvent>,
        _ process: HostProcess, network: NetworkSettings, key: OpenedKey?, lock: Held<StoreLock>?, hooks: HookRunner?
    ) {
        (self.core, local, remote) = (core, core, nil)
        (self.network, self.key, self.process) = (network, key, process)
        (self.folder, self.loop, self.events) = (folder, loop, events)
        (self.lock, self.hooks) = (lock, hooks)
        (changes, visits) = (Listeners(), SessionVisits())
    }

    /// A store that another process has open.
    ///
    /// - Parameter reader: Reads it in this process; nil where everything is done elsewhere.
    init(
        _ remote: RemoteHost, reader: LocalCore? = nil, _ folder: StoreFolder, _ loop: EventLoop,
        command: String, key: OpenedKey? = nil
    ) {
        core = reader.map { DividedCore(reader: $0, writer: remote.core) } ?? remote.core
        (local, self.remote, network) = (reader, remote, .closed)
        (self.key, process) = (key, HostProcess(command: command))
        (self.folder, self.loop) = (folder, loop)
        (events, changes, visits) = (remote.events, remote.changes, remote.visits)
        (lock, hooks) = (nil, nil)
    }

    /// Has the core carry out a command, and tells sessions what it changed.
    ///
    /// - Parameter session: The session that wants it, which hears the answer and nothing else.
    func execute<Command: ChatCommand>(
        _ command: Command, for session: ObjectIdentifier? = nil
    ) async throws(ChatError) -> Command.Response {
        let response = try await core.execute(command)
        if let effect = command.effect(of: response) {
            changes.tell(SessionChange(effect: effect, session: session))
        }
        return response
    }

    /// Has hooks run from now on while the store is open, and not when it is closed. On the loop's thread.
    func runHooks() {
        guard let local else { return }
        hooks?.assumeIsolated { $0.stay { try await $0(local) } }
    }

    /// Lets whoever finds the lock taken know where this process listens.
    func announce(socket path: String?) throws(SystemError) {
        try lock?.use { lock throws(SystemError) in try lock.announce(socket: path) }
    }

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

extension StoreHost {
    /// Lets the loop do other things for a while.
    func pause(_ duration: Duration) async {
        await withCheckedContinuation { continuation in
            loop.after(duration) { continuation.resume() }
        }
    }
}

/// What reads is done here, everything else where the store is open for writing and connected.
private struct DividedCore: Core {
    let reader: LocalCore
    let writer: RemoteCore

    func execute<Command: ChatCommand>(_ command: Command) async throws(ChatError) -> Command.Response {
        guard Command.access != .read else { return try await reader.execute(command) }
        return try await writer.execute(command)
    }
}
