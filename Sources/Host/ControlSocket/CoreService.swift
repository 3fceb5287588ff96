import AgentProtocol
import ByteCoding
public import ChatCore
public import JSONCoding
public import SystemIO

/// An open store, as others reach it.
public protocol ServedCore: AnyObject, Sendable {
    /// The version of the program.
    var program: String { get }

    /// Carries out a command, and tells the sessions besides the one that wants it what it changed.
    func execute<Command: ChatCommand>(
        _ command: Command, for session: ObjectIdentifier
    ) async throws(ChatError) -> Command.Response

    /// Does something about the process itself. On the loop's thread.
    func control(_ control: CoreControl) async throws(ChatError) -> JSONObject

    /// Calls `tell` on the loop's thread with each message from now on, until the returned action is called.
    ///
    /// - Parameter session: Whose own changes are not told.
    func listen(
        as session: ObjectIdentifier, _ tell: @escaping @Sendable (CoreMessage) -> Void
    ) -> @Sendable () -> Void

    /// Calls `tell` with the places that a session at the other end is to go to, until the returned action is called.
    func takeVisits(_ tell: @escaping @Sendable (CoreMessage) -> Void) -> @Sendable () -> Void
}

/// Carries out the commands of other processes on an open core: their texts come, the JSON of answers and events goes.
///
/// On the loop's thread.
public final class CoreService {
    private let core: any ServedCore
    private let loop: EventLoop
    private var conversations: [ObjectIdentifier: Conversation] = [:]

    public init(_ core: any ServedCore, loop: EventLoop) {
        self.core = core
        self.loop = loop
    }

    /// Answers the requests of a connection until it ends.
    public func serve(_ connection: ControlConnection) {
        let conversation = Conversation(connection, core, loop)
        let key = ObjectIdentifier(connection)
        do throws(SystemError) {
            try connection.start(
                onLine: { _, line in conversation.take(line) },
                onEnd: { conversation.isLastAsked() },
                onClose: { [weak self] in
                    self?.conversations[key] = nil
                    conversation.end()
                })
            conversations[key] = conversation
            conversation.begin()
        } catch {
            connection.close()
        }
    }

    /// Asks what is being carried out to end, and waits until all of it is answered, or time is up.
    public func settle(within timeout: Duration) async {
        let deadline = ContinuousClock.now + timeout
        for conversation in conversations.values { conversation.cancelAll() }
        while conversations.values.contains(where: { $0.isBusy }), ContinuousClock.now < deadline {
            await withCheckedContinuation { continuation in
                loop.after(.milliseconds(10)) { continuation.resume() }
            }
        }
    }

    /// Ends all conversations, so that the others know at once that they are alone: this process may go on.
    public func end() {
        for conversation in conversations.values { conversation.connection.close() }
    }
}

/// What is going on over one connection.
private final class Conversation: @unchecked Sendable {
    // Safe because it is only touched on the loop's thread.

    let connection: ControlConnection
    private let core: any ServedCore
    private let loop: EventLoop
    private var tasks: [String: Task<Void, Never>] = [:]
    /// The hidden profiles whose password the other side knows.
    private let access = ProfileAccess()
    private var endListening: (@Sendable () -> Void)?
    private var endVisits: (@Sendable () -> Void)?
    private var hasEnded = false

    init(_ connection: ControlConnection, _ core: any ServedCore, _ loop: EventLoop) {
        self.connection = connection
        self.core = core
        self.loop = loop
    }

    func begin() {
        send(.greeting(version: CoreMessage.version, program: core.program))
    }

    /// Whether something is being carried out, or said.
    var isBusy: Bool { !tasks.isEmpty || connection.isSending }

    func take(_ line: Bytes?) {
        guard let line else { return send(.error(ChatError.commandSyntax.fields, id: "")) }
        switch CoreRequest(decoding: line) {
        case .command(let text, let id):
            do throws(ChatError) {
                let command = try ChatCommands.parse(text)
                start(id) { conversation throws(ChatError) in try await conversation.json(of: command) }
            } catch {
                send(.error(error.fields, id: id))
            }
        case .control(.session, let id):
            if endVisits == nil { endVisits = core.takeVisits { [weak self] in self?.send($0) } }
            send(.result([:], id: id))
        case .control(let control, let id):
            start(id) { conversation throws(ChatError) in try await conversation.core.control(control) }
        case .cancel(let id): tasks[id]?.cancel()
        case .events(true):
            guard endListening == nil else { return }
            endListening = core.listen(as: ObjectIdentifier(self)) { [weak self] in self?.send($0) }
        case .events(false):
            endListening?()
            endListening = nil
        case .unknown(let id): send(.error(ChatError.commandSyntax.fields, id: id ?? ""))
        }
    }

    private func send(_ message: CoreMessage) {
        connection.send(message.json)
    }

    private func start(
        _ id: String,
        _ body: @escaping @Sendable (Conversation) async throws(ChatError) -> JSONObject
    ) {
        let loop = loop
        tasks[id] = Task(executorPreference: loop) { [self] in
            let answer: CoreMessage
            do throws(ChatError) { answer = .result(try await body(self), id: id) } catch {
                answer = .error(error.fields, id: id)
            }
            // The conversation is the loop's.
            loop.post { self.finish(id, answer) }
        }
    }

    private func json<Command: ChatCommand>(of command: Command) async throws(ChatError) -> JSONObject {
        let session = ObjectIdentifier(self)
        return try await access.json(of: command) { try await core.execute($0, for: session) }
    }

    private func finish(_ id: String, _ answer: CoreMessage) {
        tasks[id] = nil
        send(answer)
        closeIfDone()
    }

    /// Ends when all is answered.
    func isLastAsked() {
        hasEnded = true
        closeIfDone()
    }

    private func closeIfDone() {
        if hasEnded, tasks.isEmpty { connection.finish() }
    }

    func cancelAll() {
        for task in tasks.values { task.cancel() }
    }

    /// Ends everything: nobody waits for it.
    func end() {
        endListening?()
        endListening = nil
        endVisits?()
        endVisits = nil
        cancelAll()
        tasks = [:]
    }
}
