public import ChatCore
public import JSONCoding
public import SystemIO

/// The process that has the store open for writing and takes the commands of others, as its note in the lock says.
public struct HoldingProcess: Hashable, Sendable {
    public let holder: StoreLock.Holder
    /// Where it takes them.
    let socket: String

    /// Nil if no process has the store open, or if it takes no commands.
    public init?(of folder: StoreFolder) {
        guard let holder = StoreLock.holder(of: folder) else { return nil }
        self.init(holder)
    }

    /// Nil if the process takes no commands.
    public init?(_ holder: StoreLock.Holder) {
        guard let socket = holder.socket else { return nil }
        self.holder = holder
        self.socket = socket
    }

    /// The least time that a process may take to show that it is there, however little time there is.
    private static let minimumTimeout = Duration.seconds(1)

    /// Connects, and makes sure that the process takes requests: one that has stopped keeps what it was sent, and would carry it
    /// out whenever it goes on.
    ///
    /// - Throws: `ChatError.holder`.
    public func connect(_ loop: EventLoop, within timeout: Duration) async throws(ChatError) -> RemoteStore {
        let timeout = max(timeout, HoldingProcess.minimumTimeout)
        let transport: ControlConnection
        do throws(SystemError) {
            transport = try ControlConnection(to: socket, loop: loop, within: timeout)
        } catch {
            throw .holder(error.isRetry ? .silent : .ended)
        }
        let store = RemoteStore(self, RemoteCore(transport, loop: loop))
        try await store.open(within: timeout)
        return store
    }

    /// Connects before a deadline.
    ///
    /// - Parameters:
    ///   - timeout: How long the caller has waited at the deadline.
    ///   - command: The command that needs the store, for the error.
    /// - Returns: Nil if no process takes requests there, and the lock may be free.
    /// - Throws: ``StoreInUse`` if the process is there and does not answer, or the time is up.
    public func connect(
        _ loop: EventLoop, until deadline: ContinuousClock.Instant, timeout: Duration, command: String
    ) async throws -> RemoteStore? {
        do throws(ChatError) {
            return try await connect(loop, within: deadline - .now)
        } catch .holder(.otherVersion) {
            throw ChatError.holder(.otherVersion)
        } catch {
            guard error == .holder(.ended), ContinuousClock.now < deadline else {
                throw silent(after: timeout, command: command)
            }
            await withCheckedContinuation { continuation in
                loop.after(StoreLock.pollingInterval) { continuation.resume() }
            }
            return nil
        }
    }

    /// The error for a process that does not answer.
    public func silent(after timeout: Duration, command: String) -> StoreInUse {
        StoreInUse(self, .isSilent, waited: max(timeout, HoldingProcess.minimumTimeout), command: command)
    }

    /// Sends a request about the process itself, from a thread that may wait.
    public func ask(_ control: CoreControl, within timeout: Duration) throws -> JSONObject {
        let loop = try EventLoop()
        return try loop.run {
            let store = try await connect(loop, within: timeout)
            let answer = try await store.core.control(control)
            await store.core.close()
            return answer
        }
    }
}

extension StoreLock {
    /// The time between two attempts to take a lock that another process has.
    public static let pollingInterval = Duration.milliseconds(50)
}

/// The store as another process has it open.
public final class RemoteStore: Sendable {
    public let process: HoldingProcess
    public let core: RemoteCore
    public let events = Listeners<any ChatEvent>()
    let changes = Listeners<SessionChange>()
    let visits = SessionVisits()
    /// Told when the other process has ended.
    private let ends = Listeners<Void>()

    init(_ process: HoldingProcess, _ core: RemoteCore) {
        self.process = process
        self.core = core
    }

    fileprivate func open(within timeout: Duration) async throws(ChatError) {
        let events = events, changes = changes, visits = visits, ends = ends
        let listener = RemoteCore.Listener(
            onEvent: { events.tell($0) },
            onEffect: { changes.tell(SessionChange(effect: $0, session: nil)) },
            onVisit: { _ = visits.visit($0) },
            onEnd: { ends.tell(()) })
        try await core.open(listener, within: timeout)
    }

    /// Calls `action` on the loop's thread when the process has ended.
    public func whenEnded(_ action: @escaping @Sendable () -> Void) async {
        _ = ends.listen { action() }
        if await core.hasEnded { action() }
    }

    /// Says that a session is here, which can be taken to places.
    public func takeVisits() async throws(ChatError) {
        _ = try await core.control(.session)
    }
}
