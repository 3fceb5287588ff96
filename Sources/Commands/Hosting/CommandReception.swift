import ChatCore
import ControlSocket
import SystemIO

/// Takes the commands of other processes for an open store. On the loop's thread.
final class CommandReception {
    private let host: StoreHost
    private let service: ControlService
    private var server: ControlServer?

    /// Where it listens.
    let socket: String

    /// Begins to listen, and writes into the lock where.
    init(_ session: StoreSession) throws {
        let host = session.host, invocation = session.invocation
        let service = ControlService(host, invocation.environment)
        let server = try ControlPlace.listen(try invocation.directories(), host.loop) { service.serve($0) }
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
        try? host.announce(socket: nil)
        server = nil
    }

    deinit { close() }
}

extension StoreSession {
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

    /// Keeps the sessions with the relays until time is up, somebody wishes an end, or the command is cancelled, and takes
    /// the commands of other processes meanwhile, unless this is one of them.
    ///
    /// - Parameters:
    ///   - takesSignals: Whether signals end it in order; they end the process otherwise.
    ///   - onOpen: Called when commands are taken; with nil if there is no place where they could be.
    func receive(
        timeout: Duration? = nil, takesSignals: Bool = false,
        onOpen: (CommandReception?) throws -> Void = { _ in }
    ) async throws {
        let command = ReceiveMessages(timeout: timeout)
        guard invocation.host == nil else {
            _ = try await execute(command)
            return
        }
        try await hosting { reception in
            try onOpen(reception)
            let session = self
            let task = Task(executorPreference: host.loop) { try await session.execute(command) }
            host.process.onWish(takesSignals: takesSignals) { _ in task.cancel() }
            _ = try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }
}
