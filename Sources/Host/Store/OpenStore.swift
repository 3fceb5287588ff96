public import ChatCore
public import SystemIO

/// An open store, and the core that carries out commands on it: in this process, or in another one that has it open for writing.
///
/// Commands of this process run on it one after the other; those of other processes come over the control socket as texts
/// of the core.
public final class OpenStore: Sendable {
    /// What carries out commands.
    public let core: any Core
    /// The core of this process; nil where everything is done elsewhere.
    public let local: LocalCore?
    /// The store of the process that has it open for writing, if that is another one.
    public let remote: RemoteStore?
    public let loop: EventLoop
    public let folder: StoreFolder
    /// What happens in the store, when it is on disk.
    public let events: Listeners<any ChatEvent>
    /// What people do in the store.
    public let changes: Listeners<SessionChange>
    /// The way to the session that has it open.
    public let visits: SessionVisits
    public let process: HostProcess
    /// How it is connected.
    public let network: NetworkSettings
    /// What opens the store, for a command that opens it once more.
    public let key: OpenedKey?
    private let lock: Held<StoreLock>?
    private let hooks: (any StoreHookRunner)?

    /// A store that is open in this process.
    public init(
        _ core: LocalCore, _ folder: StoreFolder, _ loop: EventLoop, _ events: Listeners<any ChatEvent>,
        _ process: HostProcess, network: NetworkSettings, key: OpenedKey?, lock: Held<StoreLock>?,
        hooks: (any StoreHookRunner)? = nil
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
    public init(
        _ remote: RemoteStore, reader: LocalCore? = nil, _ folder: StoreFolder, _ loop: EventLoop,
        command: String, key: OpenedKey? = nil
    ) {
        core = reader.map { DividedCore(reader: $0, writer: remote.core) } ?? remote.core
        (local, self.remote, network) = (reader, remote, .closed)
        (self.key, process) = (key, HostProcess(command: command))
        (self.folder, self.loop) = (folder, loop)
        (events, changes, visits) = (remote.events, remote.changes, remote.visits)
        (lock, hooks) = (nil, nil)
    }

    /// A store whose commands any core carries out, without files of its own.
    public init(_ core: any Core, _ folder: StoreFolder, _ loop: EventLoop, command: String) {
        (self.core, local, remote, network) = (core, nil, nil, .closed)
        (key, process) = (nil, HostProcess(command: command))
        (self.folder, self.loop) = (folder, loop)
        (events, changes, visits) = (Listeners(), Listeners(), SessionVisits())
        (lock, hooks) = (nil, nil)
    }

    /// Has the core carry out a command, and tells sessions what it changed.
    ///
    /// - Parameter session: The session that wants it, which hears the answer and nothing else.
    public func execute<Command: ChatCommand>(
        _ command: Command, for session: ObjectIdentifier? = nil
    ) async throws(ChatError) -> Command.Response {
        let response = try await core.execute(command)
        if let effect = command.effect(of: response) {
            changes.tell(SessionChange(effect: effect, session: session))
        }
        return response
    }

    /// Has hooks run from now on while the store is open, and not when it is closed. On the loop's thread.
    public func runHooks() {
        guard let local else { return }
        hooks?.stay(on: local)
    }

    /// Lets whoever finds the lock taken know where this process listens.
    func announce(socket path: String?) throws(SystemError) {
        try lock?.use { lock throws(SystemError) in try lock.announce(socket: path) }
    }

    /// Lets the loop do other things for a while.
    public func pause(_ duration: Duration) async {
        await withCheckedContinuation { continuation in
            loop.after(duration) { continuation.resume() }
        }
    }
}

/// Runs the hooks of a store that stays open.
public protocol StoreHookRunner: Sendable {
    /// Runs them from now on, whenever something happens. On the loop's thread.
    func stay(on core: LocalCore)
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

/// Something that lasts as long as this object lives.
public final class Held<Value: ~Copyable> {
    private let value: Value

    public init(_ value: consuming Value) {
        self.value = value
    }

    public func use<Result, Failure: Error>(
        _ body: (borrowing Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(value)
    }
}

extension Held: Sendable where Value: Sendable & ~Copyable {}
