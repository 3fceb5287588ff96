public import ChatCore
import CommandKit
public import SystemIO
import TerminalKit

/// A store that is open for writing, and on which the commands of several faces run: those of the process that opened it,
/// and those that came over the control socket.
///
/// The core lives on the loop. Commands that came from elsewhere run on threads of their own, because they may read files
/// and ask questions, and go over to the loop for what they do with the store.
public final class StoreHost: Sendable {
    public let core: LocalCore
    public let loop: EventLoop
    let folder: StoreFolder
    /// What happens in the store, when it is on disk.
    let events: Listeners<any ChatEvent>
    /// What people do in the store.
    let changes = Listeners<SessionChange>()
    /// The way to the session that has it open.
    let visits = SessionVisits()
    let process: HostProcess
    /// The process that has the store open for writing, if that is another one; it changes what has to be changed then.
    let holder: StoreHolder?
    /// How it is connected.
    let network: NetworkSettings
    /// What opens the store, for a command that opens it once more.
    let key: OpenedKey?
    private let lock: Held<StoreLock>?
    private let hooks: HookRunner?

    init(
        _ core: LocalCore, _ folder: StoreFolder, _ loop: EventLoop, _ events: Listeners<any ChatEvent>,
        _ process: HostProcess, network: NetworkSettings, key: OpenedKey?, lock: Held<StoreLock>?, hooks: HookRunner?
    ) {
        self.network = network
        self.key = key
        self.process = process
        holder = nil
        self.core = core
        self.folder = folder
        self.loop = loop
        self.events = events
        self.lock = lock
        self.hooks = hooks
    }

    /// The same store, of which another process is the holder.
    init(_ host: StoreHost, holder: StoreHolder) {
        self.holder = holder
        (process, core, folder, loop) = (host.process, host.core, host.folder, host.loop)
        (events, key) = (host.events, host.key)
        network = host.network
        (lock, hooks) = (nil, nil)
    }

    /// Has the core carry out a command, and tells sessions what it changed.
    ///
    /// - Parameter session: The session that wants it, which hears the answer and nothing else.
    func execute(
        _ command: CoreCommand, for session: ObjectIdentifier? = nil
    ) async throws(ChatError) -> CoreResponse {
        let response = try await core.execute(command)
        if let event = SessionEvent(command, response) { changes.tell(SessionChange(event: event, session: session)) }
        return response
    }

    /// The same for a typed command.
    func execute<Command: ChatCommand>(
        _ command: Command, for session: ObjectIdentifier? = nil
    ) async throws(ChatError) -> Command.Response {
        let response = try await core.execute(command)
        if let effect = command.effect(of: response) {
            changes.tell(SessionChange(event: SessionEvent(effect), session: session))
        }
        return response
    }

    /// Has hooks run from now on while the store is open, and not when it is closed. On the loop's thread.
    func runHooks() {
        let core = core
        hooks?.assumeIsolated { $0.stay { try await $0(core) } }
    }

    /// Lets whoever finds the lock taken know where this process listens.
    func announce(socket path: String?) throws(SystemError) {
        try lock?.use { lock throws(SystemError) in try lock.announce(socket: path) }
    }

    /// Runs the part of a command that needs the store, and waits for its end. Only for threads that may wait.
    func run<Result: Sendable>(
        _ invocation: Invocation, onEvent: @escaping @Sendable (any ChatEvent) -> Void,
        _ body: @escaping @Sendable (StoreSession) async throws -> Result
    ) throws -> Result {
        let handover = try Handover<Swift.Result<Result, any Error>>()
        loop.post { [self] in
            let progress = ProgressDisplay(invocation, loop)
            let listening = events.listen { event in
                progress.pausing {
                    invocation.trace(event)
                    onEvent(event)
                }
            }
            let session = StoreSession(self, invocation, progress)
            let task = Task(executorPreference: loop) {
                let result: Swift.Result<Result, any Error>
                do { result = .success(try await session.opening(body)) } catch { result = .failure(error) }
                progress.stop()
                listening.end()
                handover.give(result)
            }
            invocation.cancellation.onRequest { task.cancel() }
        }
        return try handover.take().get()
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
