public import ChatCore
public import JSONCoding
public import SystemIO

/// Takes the commands of other processes for an open store. On the loop's thread.
public final class StoreReception {
    private let store: OpenStore
    private let service: CoreService
    private var server: ControlServer?

    /// Where it listens.
    public let socket: String

    /// Begins to listen, and writes into the lock where.
    public init(_ store: OpenStore, _ directories: Directories) throws {
        let service = CoreService(store)
        let server = try ControlPlace.listen(directories, store.loop) { service.serve($0) }
        try store.announce(socket: server.path)
        self.store = store
        self.service = service
        self.server = server
        socket = server.path
    }

    /// Takes no more, and has the commands in progress come to their end, so that each caller gets an answer.
    func settle() async {
        close()
        await service.settle(within: .seconds(2))
        service.end()
    }

    /// Takes no more.
    func close() {
        // If this fails, the lock names a closed socket until this process ends.
        try? store.announce(socket: nil)
        server = nil
    }

    deinit { close() }
}

extension OpenStore {
    /// Takes the commands of other processes, and runs hooks, as long as `body` runs. In the end each caller gets an answer.
    ///
    /// - Parameter body: Gets nil if there is no place where commands could be taken.
    public func hosting<Result>(
        at directories: Directories?, _ body: (StoreReception?) async throws -> Result
    ) async throws -> Result {
        let reception = directories.flatMap { try? StoreReception(self, $0) }
        defer { reception?.close() }
        runHooks()
        let result = try await body(reception)
        await reception?.settle()
        return result
    }

    /// Keeps the sessions with the relays until the deadline, a request to end, or cancellation. Runs the commands of other processes
    /// during this time.
    ///
    /// - Parameters:
    ///   - command: The reception, with its deadline and the files that it accepts.
    ///   - takesSignals: True if signals end it in order; they end the process otherwise.
    ///   - onOpen: Called when commands are taken; with nil if there is no place where they could be.
    public func receive(
        _ command: ReceiveMessages, at directories: Directories?, takesSignals: Bool = false,
        onOpen: (StoreReception?) throws -> Void = { _ in }
    ) async throws {
        try await hosting(at: directories) { reception in
            try onOpen(reception)
            let task = Task(executorPreference: loop) { [self] in try await execute(command) }
            process.onRequest(takesSignals: takesSignals) { _ in task.cancel() }
            _ = try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }

    /// Answers a request about this process. On the loop's thread.
    public func control(_ control: CoreControl) async throws(ChatError) -> JSONObject {
        switch control {
        case .ping, .session: return [:]
        case .stop:
            process.pass(.stop)
            return [:]
        case .reload:
            let status = ProcessStatus(process, state: "reloading").json
            process.pass(.reload)
            return status
        case .status: return ProcessStatus(process, state: "running").json
        case .visit(let place): return visits.visit(place)?.json ?? [:]
        case .route(let requested):
            var answer = JSONObject()
            answer.set("differs", difference(from: requested))
            return answer
        }
    }
}
