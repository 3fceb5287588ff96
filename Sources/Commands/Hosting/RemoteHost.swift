import ChatCore
import CommandKit
import Host
import JSONCoding
import SystemIO
import TerminalKit

/// The process that has the store open for writing and takes the commands of others, as its note in the lock says.
struct HoldingProcess: Sendable {
    let holder: StoreLock.Holder
    /// Where it takes them.
    let socket: String

    /// Nil if nobody has the store open, or takes no commands.
    init?(of folder: StoreFolder) {
        guard let holder = StoreLock.holder(of: folder) else { return nil }
        self.init(holder)
    }

    init?(_ holder: StoreLock.Holder) {
        guard let socket = holder.socket else { return nil }
        self.holder = holder
        self.socket = socket
    }

    /// What a process may take at the least to show that it is there, however little time there is.
    private static let minimumTimeout = Duration.seconds(1)

    /// Connects, and makes sure that the process takes requests: one that has stopped keeps what it was sent, and would carry it
    /// out whenever it goes on.
    ///
    /// - Throws: `ChatError.holder`.
    func connect(_ loop: EventLoop, within timeout: Duration) async throws(ChatError) -> RemoteHost {
        let timeout = max(timeout, HoldingProcess.minimumTimeout)
        let transport: ControlConnection
        do throws(SystemError) {
            transport = try ControlConnection(to: socket, loop: loop, within: timeout)
        } catch {
            throw .holder(error.isRetry ? .silent : .ended)
        }
        let host = RemoteHost(self, RemoteCore(transport, loop: loop))
        try await host.open(within: timeout)
        return host
    }

    /// Connects before a deadline.
    ///
    /// - Returns: Nil if nobody takes requests there, and the lock may be free.
    /// - Throws: ``StoreInUse`` if the process is there and does not answer, or the time is up.
    func connect(
        _ loop: EventLoop, until deadline: ContinuousClock.Instant, _ invocation: Invocation
    ) async throws -> RemoteHost? {
        do throws(ChatError) {
            return try await connect(loop, within: deadline - .now)
        } catch .holder(.otherVersion) {
            throw ChatError.holder(.otherVersion)
        } catch {
            guard error == .holder(.ended), ContinuousClock.now < deadline else { throw silent(invocation) }
            await withCheckedContinuation { continuation in
                loop.after(StoreOpener.pollingInterval) { continuation.resume() }
            }
            return nil
        }
    }

    /// What is reported of a process that does not answer.
    func silent(_ invocation: Invocation) -> StoreInUse {
        let waited = max(invocation[GlobalOptions.lockTimeout], HoldingProcess.minimumTimeout)
        return StoreInUse(self, .isSilent, waited: waited, command: invocation.commandName)
    }

    /// Asks something about the process itself, from a thread that may wait.
    func ask(_ control: CoreControl, within timeout: Duration) throws -> JSONObject {
        let loop = try EventLoop()
        return try loop.run {
            let host = try await connect(loop, within: timeout)
            let answer = try await host.core.control(control)
            await host.core.close()
            return answer
        }
    }
}

/// The store as another process has it open.
final class RemoteHost: Sendable {
    let process: HoldingProcess
    let core: RemoteCore
    let events = Listeners<any ChatEvent>()
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
    func whenEnded(_ action: @escaping @Sendable () -> Void) async {
        _ = ends.listen { action() }
        if await core.hasEnded { action() }
    }

    /// Says that a session is here, which can be taken to places.
    func takeVisits() async throws(ChatError) {
        _ = try await core.control(.session)
    }

    /// Fails if the process is connected otherwise than this one wants to be.
    ///
    /// SECURITY: who names a proxy for a command believes that the command goes through it.
    func checkRoute(_ invocation: Invocation) async throws {
        guard !invocation[GlobalOptions.offline] else { throw Reason.holderIsOnline }
        var requested: [String: String] = [:]
        for (_, declared) in ProgramSettings.network {
            for name in declared.declaration.variables { requested[name] = invocation.environment[name] }
        }
        guard !requested.isEmpty else { return }
        let answer = try await core.control(.route(requested))
        if let name = answer["differs"]?.string { throw Reason.otherRoute(name) }
    }
}

extension StoreHost {
    /// The name of a variable that wants another connection than the store has; nil if there is none.
    func difference(from requested: [String: String]) -> String? {
        // Where nothing is connected there is no wrong way.
        guard network != .offline, network != .closed else { return nil }
        for (setting, declared) in ProgramSettings.network {
            for name in declared.declaration.variables {
                // An empty one counts where nothing is a value, as everywhere.
                guard let text = requested[name], !text.isEmpty || setting == .proxy else { continue }
                let value = try? NetworkSettings([setting: text]).texts[setting]
                if value != network.texts[setting] { return name }
            }
        }
        return nil
    }
}
