import ByteCoding
import ChatCore
import JSONCoding
import SystemIO

/// Carries out the commands of other processes on an open store: their texts come, the JSON of answers and events goes, one object a
/// line.
///
/// On the loop's thread.
final class CoreService {
    private let store: OpenStore
    private var clients: [ObjectIdentifier: LineClient] = [:]

    init(_ store: OpenStore) {
        self.store = store
    }

    /// Answers the requests of a connection until it ends.
    func serve(_ connection: ControlConnection) {
        let client = LineClient(connection, store)
        let key = ObjectIdentifier(connection)
        do throws(SystemError) {
            try connection.start(
                onLine: { _, line in client.take(line) },
                onEnd: { client.isLastAsked() },
                onClose: { [weak self] in
                    self?.clients[key] = nil
                    client.end()
                })
            clients[key] = client
            client.begin()
        } catch {
            connection.close()
        }
    }

    /// Asks the commands in progress to end, and waits until all of them are answered, or time is up.
    func settle(within timeout: Duration) async {
        let deadline = ContinuousClock.now + timeout
        for client in clients.values { client.cancelAll() }
        while clients.values.contains(where: { $0.isBusy }), ContinuousClock.now < deadline {
            await store.pause(.milliseconds(10))
        }
    }

    /// Ends all connections, so that the others know at once that they are alone: this process may go on.
    func end() {
        for client in clients.values { client.connection.close() }
    }
}

/// The other end of one connection.
private final class LineClient: @unchecked Sendable {
    // Safe because it is only touched on the loop's thread.

    let connection: ControlConnection
    private let session: APISession
    /// The commands in progress, by the ids of their requests.
    private var commands: [String: APISession.ID] = [:]
    private var endListening: (@Sendable () -> Void)?
    private var endVisits: (@Sendable () -> Void)?
    private var hasEnded = false

    init(_ connection: ControlConnection, _ store: OpenStore) {
        self.connection = connection
        session = APISession(store)
    }

    func begin() {
        send(.greeting(version: CoreMessage.version, program: VersionReport.current.version))
    }

    /// True if a command has not been answered, or an answer is not sent.
    var isBusy: Bool { session.isBusy || connection.isSending }

    func take(_ line: Bytes?) {
        guard let line else { return send(.error(ChatError.commandSyntax.fields, id: "")) }
        switch CoreRequest(decoding: line) {
        case .command(let text, let id):
            commands[id] = session.start(text) { self.answer(id, $0) }
        case .control(.session, let id):
            if endVisits == nil { endVisits = session.takeVisits { [weak self] in self?.send($0) } }
            send(.result([:], id: id))
        case .control(let control, let id):
            commands[id] = session.start(
                { store throws(ChatError) in try await store.control(control) }, then: { self.answer(id, $0) })
        case .cancel(let id): if let command = commands[id] { session.cancel(command) }
        case .events(true):
            guard endListening == nil else { return }
            endListening = session.listen { [weak self] in self?.send($0) }
        case .events(false):
            endListening?()
            endListening = nil
        case .unknown(let id): send(.error(ChatError.commandSyntax.fields, id: id ?? ""))
        }
    }

    private func send(_ message: CoreMessage) {
        connection.send(message.json)
    }

    private func answer(_ id: String, _ answer: APISession.Answer) {
        commands[id] = nil
        switch answer {
        case .result(let result): send(.result(result, id: id))
        case .error(let error): send(.error(error.fields, id: id))
        case .ended: break
        }
        closeIfDone()
    }

    /// Ends when all is answered.
    func isLastAsked() {
        hasEnded = true
        closeIfDone()
    }

    private func closeIfDone() {
        if hasEnded, !session.isBusy { connection.finish() }
    }

    func cancelAll() {
        session.cancelAll()
    }

    /// Ends everything: nothing waits for it.
    func end() {
        endListening?()
        endListening = nil
        endVisits?()
        endVisits = nil
        session.end()
    }
}
