public import ChatCore
public import Host
public import JSONCoding
import SystemIO

/// Takes the commands of other processes for an open store. On the loop's thread.
final class CommandReception {
    private let host: StoreHost
    private let service: CoreService
    private var server: ControlServer?

    /// Where it listens.
    let socket: String

    /// Begins to listen, and writes into the lock where.
    init(_ session: CommandSession) throws {
        let host = session.host
        let service = CoreService(host, loop: host.loop)
        let server = try ControlPlace.listen(try session.invocation.directories(), host.loop) { service.serve($0) }
        try host.announce(socket: server.path)
        self.host = host
        self.service = service
        self.server = server
        socket = server.path
    }

    /// Takes no more, and has what is being carried out come to its end, so that whoever waits gets an answer.
    func settle() async {
        close()
        await service.settle(within: .seconds(2))
        service.end()
    }

    /// Takes no more.
    func close() {
        // Nobody finds the socket any more; the lock goes with this process.
        try? host.announce(socket: nil)
        server = nil
    }

    deinit { close() }
}

extension StoreHost: ServedCore {
    public var program: String { VersionReport.current.version }

    public func execute<Command: ChatCommand>(
        _ command: Command, for session: ObjectIdentifier
    ) async throws(ChatError) -> Command.Response {
        try await execute(command, for: Optional(session))
    }

    public func listen(
        as session: ObjectIdentifier, _ tell: @escaping @Sendable (CoreMessage) -> Void
    ) -> @Sendable () -> Void {
        let listening = events.listen { tell(.event($0.json)) }
        let changing = changes.listen { change in
            if change.session != session, let json = change.effect.json { tell(.effect(json)) }
        }
        return {
            listening.end()
            changing.end()
        }
    }

    public func takeVisits(_ tell: @escaping @Sendable (CoreMessage) -> Void) -> @Sendable () -> Void {
        let visiting = visits.begin { place in
            tell(.visit(place))
            return .told
        }
        return { visiting.end() }
    }

    public func control(_ control: CoreControl) async throws(ChatError) -> JSONObject {
        switch control {
        case .ping, .session: return [:]
        case .stop:
            process.pass(.stop)
            return [:]
        case .reload:
            let report = DaemonReport(process, state: "reloading").json
            process.pass(.reload)
            return report
        case .status: return DaemonReport(process, state: "running").json
        case .visit(let place): return visits.visit(place)?.json ?? [:]
        case .route(let requested):
            var answer = JSONObject()
            answer.set("differs", difference(from: requested))
            return answer
        }
    }
}

extension CommandSession {
    /// Takes the commands of other processes, and runs hooks, as long as `body` runs. In the end whoever waits gets an
    /// answer.
    ///
    /// - Parameter body: Gets nil if there is no place where commands could be taken.
    func hosting<Result>(_ body: (CommandReception?) async throws -> Result) async throws -> Result {
        let reception = try? CommandReception(self)
        defer { reception?.close() }
        host.runHooks()
        let result = try await body(reception)
        await reception?.settle()
        return result
    }

    /// Keeps the sessions with the relays until the deadline, a request to end, or cancellation. Runs the commands of other processes
    /// during this time, unless another process does.
    ///
    /// - Parameters:
    ///   - files: The files that are accepted meanwhile; nil for the setting.
    ///   - takesSignals: Whether signals end it in order; they end the process otherwise.
    ///   - onOpen: Called when commands are taken; with nil if there is no place where they could be.
    func receive(
        timeout: Duration? = nil, files: FileAcceptance? = nil, takesSignals: Bool = false,
        onOpen: (CommandReception?) throws -> Void = { _ in }
    ) async throws {
        let command = ReceiveMessages(timeout: timeout, files: files)
        guard invocation.host == nil, host.remote == nil else {
            _ = try await execute(command)
            return
        }
        try await hosting { reception in
            try onOpen(reception)
            let session = self
            let task = Task(executorPreference: host.loop) { try await session.execute(command) }
            host.process.onRequest(takesSignals: takesSignals) { _ in task.cancel() }
            _ = try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }
}
