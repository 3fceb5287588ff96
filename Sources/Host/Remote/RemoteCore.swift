import ByteCoding
public import ChatCore
public import JSONCoding
public import SystemIO

/// The core of a store that another process has open: it sends the texts of commands and reads the JSON of answers and events.
///
/// All of it goes over one connection, on the loop, so that nothing waits for anything else. Whatever the other process does not say
/// in time is an error with a code: see ``HolderProblem``.
public actor RemoteCore: Core {
    /// What comes by itself.
    public struct Listener: Sendable {
        /// Something happened in the store.
        public var onEvent: @Sendable (any ChatEvent) -> Void
        /// Somebody else changed something in it.
        public var onEffect: @Sendable (SessionEffect) -> Void
        /// A session is to go somewhere.
        public var onVisit: @Sendable (String) -> Void
        /// The other process has ended, or does not answer any more.
        public var onEnd: @Sendable () -> Void

        public init(
            onEvent: @escaping @Sendable (any ChatEvent) -> Void = { _ in },
            onEffect: @escaping @Sendable (SessionEffect) -> Void = { _ in },
            onVisit: @escaping @Sendable (String) -> Void = { _ in }, onEnd: @escaping @Sendable () -> Void = {}
        ) {
            self.onEvent = onEvent
            self.onEffect = onEffect
            self.onVisit = onVisit
            self.onEnd = onEnd
        }
    }

    private enum Answer {
        case result(JSONObject)
        case error(JSONObject)
        case problem(HolderProblem)
    }

    private let loop: EventLoop
    private let transport: any CoreTransport
    private var listener = Listener()
    private var lastID: Int64 = 0
    private var requests: [String: (Answer) -> Void] = [:]
    private var greeted: CheckedContinuation<HolderProblem?, Never>?
    private var hasGreeting = false
    /// Why nothing is answered any more.
    private var problem: HolderProblem?
    /// When the other side said something last.
    private var heard = ContinuousClock.now
    private var pinged: ContinuousClock.Instant?
    private var watch: Timer?

    /// How long the other side may say nothing before it is asked whether it is there, and how long it may take then: some steps
    /// occupy it for a while.
    private static let silence = Duration.seconds(10), timeout = Duration.seconds(60)
    private static let look = Duration.seconds(1)

    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// Talks over a connection that was made just now.
    public init(_ transport: sending any CoreTransport, loop: EventLoop) {
        self.transport = transport
        self.loop = loop
    }

    /// Waits until the other side has shown that it takes requests, and speaks this version.
    ///
    /// - Throws: `ChatError.holder` with what is wrong.
    public func open(_ listener: Listener = Listener(), within timeout: Duration) async throws(ChatError) {
        self.listener = listener
        do throws(SystemError) {
            try transport.start(
                onLine: { [weak self] line in self?.assumeIsolated { $0.take(line) } },
                onClose: { [weak self] in self?.assumeIsolated { $0.end(.ended) } })
        } catch {
            throw .holder(.ended)
        }
        // A process of an earlier version says nothing by itself, and answers this.
        transport.send(["jsonrpc": "2.0", "id": "ping", "method": "tacit.ping"])
        let timer = loop.after(timeout) { [weak self] in
            self?.assumeIsolated { core in
                if !core.hasGreeting { core.end(.silent) }
            }
        }
        let problem: HolderProblem? = await withCheckedContinuation { continuation in
            if let problem = self.problem { continuation.resume(returning: problem) } else { greeted = continuation }
        }
        timer.cancel()
        if let problem { throw .holder(problem) }
        transport.send(CoreRequest.events(true).json)
        keepWatch()
    }

    /// Ends the connection.
    public func close() {
        listener = Listener()
        end(.ended)
        transport.close()
    }

    /// Whether the other process does not answer any more.
    public var hasEnded: Bool { problem != nil }

    // MARK: - Commands

    public func execute<Command: ChatCommand>(_ command: Command) async throws(ChatError) -> Command.Response {
        let answer = await ask { CoreRequest.command(command.text, id: $0) }
        switch answer {
        case .result(let json):
            guard let response = try? Command.Response(json: json) else { throw .holder(.otherVersion) }
            return response
        case .error(let json): throw RemoteCore.error(json)
        case .problem(let problem): throw .holder(problem)
        }
    }

    /// Asks something about the other process itself.
    public func control(_ control: CoreControl) async throws(ChatError) -> JSONObject {
        switch await ask({ CoreRequest.control(control, id: $0) }) {
        case .result(let json): return json
        case .error(let json): throw RemoteCore.error(json)
        case .problem(let problem): throw .holder(problem)
        }
    }

    /// An error that the other process answered with. One that this version does not know cannot be told from another version's.
    private static func error(_ json: JSONObject) -> ChatError {
        var fields = JSONFields(json)
        return (try? ChatError(from: &fields)) ?? .holder(.otherVersion)
    }

    /// Sends a request and waits for its answer. If the task is cancelled the other side hears of it, and answers early.
    private func ask(_ request: (String) -> CoreRequest) async -> Answer {
        lastID += 1
        let id = "\(lastID)", json = request(id).json
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let problem { return continuation.resume(returning: .problem(problem)) }
                requests[id] = { continuation.resume(returning: $0) }
                transport.send(json)
                // The cancellation may have come before the request.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            // After what has been begun, on whatever thread this is.
            loop.post { [weak self] in self?.assumeIsolated { $0.cancel(id) } }
        }
    }

    private func cancel(_ id: String) {
        if requests[id] != nil { transport.send(CoreRequest.cancel(id).json) }
    }

    // MARK: - What comes

    private func take(_ line: Bytes?) {
        heard = .now
        pinged = nil
        guard let line else { return end(.otherVersion) }
        switch CoreMessage(decoding: line) {
        case .greeting(let version, _): greet(version)
        case .result(let json, let id): requests.removeValue(forKey: id)?(.result(json))
        case .error(let json, let id): requests.removeValue(forKey: id)?(.error(json))
        case .event(let json):
            // What this version does not know cannot be shown.
            if case .known(let event)? = try? ChatEvents.decode(json) { listener.onEvent(event) }
        case .effect(let json): if let effect = try? SessionEffect(json: json) { listener.onEffect(effect) }
        case .visit(let place): listener.onVisit(place)
        case .unknown, nil: if !hasGreeting { end(.otherVersion) }
        }
    }

    private func greet(_ version: Int64) {
        guard version == CoreMessage.version else { return end(.otherVersion) }
        hasGreeting = true
        greeted?.resume(returning: nil)
        greeted = nil
    }

    /// Nothing is answered any more.
    private func end(_ problem: HolderProblem) {
        guard self.problem == nil else { return }
        self.problem = problem
        watch?.cancel()
        greeted?.resume(returning: problem)
        greeted = nil
        let waiting = requests.values
        requests = [:]
        for request in waiting { request(.problem(problem)) }
        listener.onEnd()
    }

    /// Finds out whether the other side is there, while something is waited for.
    private func keepWatch() {
        watch = loop.after(RemoteCore.look) { [weak self] in
            self?.assumeIsolated { core in
                guard core.problem == nil else { return }
                core.lookAfter()
                core.keepWatch()
            }
        }
    }

    private func lookAfter() {
        guard !requests.isEmpty else {
            heard = .now
            pinged = nil
            return
        }
        if let pinged {
            if ContinuousClock.now - pinged > RemoteCore.timeout { end(.silent) }
        } else if ContinuousClock.now - heard > RemoteCore.silence {
            pinged = .now
            transport.send(CoreRequest.control(.ping, id: "ping").json)
        }
    }
}
