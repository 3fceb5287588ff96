import AgentProtocol
import ByteCoding
import ChatCore
import JSONCoding
import SystemIO

/// The commands of one client of the API, which are carried out one after the other. On the loop's thread.
final class APIClient: @unchecked Sendable {
    // Safe because it is only touched on the loop's thread.

    /// A request of a client: `{"corrId":"7","cmd":"/_start"}`.
    struct Request: Hashable {
        let id: String
        let command: String

        /// Nil for a text that is no request.
        init?(_ text: String) {
            guard let fields = (try? JSONValue(decoding: Bytes(text.utf8)))?.object, let id = fields["corrId"]?.string,
                let command = fields["cmd"]?.string
            else { return nil }
            self.id = id
            self.command = command
        }
    }

    let connection: WebSocketConnection
    private let host: StoreHost
    private let paths: APIFilePaths
    private var requests: [Request] = []
    private var queueSize = 0
    private var task: Task<Void, Never>?
    private let access = ProfileAccess()
    private var hasEnded = false

    /// The number of waiting commands, and of their bytes, above which nothing is read from the client.
    private static let queueLimit = 100, queueSizeLimit = 32 << 20

    init(_ connection: WebSocketConnection, _ host: StoreHost, _ paths: APIFilePaths) {
        self.connection = connection
        self.host = host
        self.paths = paths
    }

    /// Whether a command is being carried out, or answered.
    var isBusy: Bool { task != nil || connection.isSending }

    /// Takes a message.
    func take(_ text: String) {
        guard let request = Request(text) else { return answer(nil, APIReply.error(.commandSyntax)) }
        requests.append(request)
        queueSize += request.command.utf8.count
        if requests.count > APIClient.queueLimit || queueSize > APIClient.queueSizeLimit { connection.pause(true) }
        if task == nil { next() }
    }

    private func next() {
        guard !hasEnded, !requests.isEmpty else { return }
        let request = requests.removeFirst(), loop = host.loop
        queueSize -= request.command.utf8.count
        if requests.count <= APIClient.queueLimit / 2, queueSize <= APIClient.queueSizeLimit / 2 {
            connection.pause(false)
        }
        task = Task(executorPreference: loop) { [self] in
            let body = await carryOut(request.command)
            // The client is the loop's.
            loop.post { self.finish(request.id, body) }
        }
    }

    private func finish(_ id: String, _ body: JSONObject) {
        task = nil
        answer(id, body)
        next()
    }

    private func answer(_ id: String?, _ body: JSONObject) {
        var reply = JSONObject()
        reply.set("corrId", id)
        reply["resp"] = .object(body)
        connection.send(text: reply.encoded)
    }

    private func carryOut(_ text: String) async -> JSONObject {
        do throws(ChatError) {
            let command = try ChatCommands.parse(text)
            let answer = try await json(of: command)
            paths.note(command)
            return paths.apply(to: answer)
        } catch {
            return APIReply.error(error)
        }
    }

    private func json<Command: ChatCommand>(of command: Command) async throws(ChatError) -> JSONObject {
        let session = ObjectIdentifier(self)
        return try await access.json(of: command) { try await host.execute($0, for: session) }
    }

    /// Asks the command that is being carried out to end early, and begins no other.
    func cancel() {
        (requests, queueSize) = ([], 0)
        task?.cancel()
    }

    /// Nobody waits for an answer any more.
    func end() {
        hasEnded = true
        cancel()
    }
}

/// The bodies of answers as the official API has them.
enum APIReply {
    /// `{"type":"chatCmdError","chatError":{...}}`
    static func error(_ error: ChatError) -> JSONObject {
        ["type": "chatCmdError", "chatError": error.json]
    }
}
