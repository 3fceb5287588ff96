import ByteCoding
import ChatCore
import JSONCoding

/// One client of the API over a WebSocket, whose commands are carried out one after the other. On the loop's thread.
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
    private let session: APISession

    /// The number of waiting commands, and of their bytes, above which nothing is read from the client.
    private static let queueLimit = 100, queueSizeLimit = 32 << 20

    init(_ connection: WebSocketConnection, _ store: OpenStore, _ paths: APIFilePaths) {
        self.connection = connection
        session = APISession(store, order: .sequential, paths: paths)
    }

    /// True if a command is in progress, or an answer is not sent.
    var isBusy: Bool { session.isBusy || connection.isSending }

    /// Takes a message.
    func take(_ text: String) {
        guard let request = Request(text) else { return answer(nil, APIReply.error(.commandSyntax)) }
        session.start(request.command) { self.answer(request.id, $0) }
        if session.waitingCount > APIClient.queueLimit || session.waitingSize > APIClient.queueSizeLimit {
            connection.pause(true)
        }
    }

    private func answer(_ id: String, _ answer: APISession.Answer) {
        switch answer {
        case .result(let body): self.answer(id, body)
        case .error(let error): self.answer(id, APIReply.error(error))
        case .ended: return
        }
        if session.waitingCount <= APIClient.queueLimit / 2, session.waitingSize <= APIClient.queueSizeLimit / 2 {
            connection.pause(false)
        }
    }

    private func answer(_ id: String?, _ body: JSONObject) {
        var reply = JSONObject()
        reply.set("corrId", id)
        reply["resp"] = .object(body)
        connection.send(text: reply.encoded)
    }

    /// Asks the command in progress to end early, and begins no other.
    func cancel() {
        session.cancelAll()
    }

    /// The client has gone.
    func end() {
        session.end()
    }
}

/// The bodies of answers as the official API has them.
enum APIReply {
    /// `{"type":"chatCmdError","chatError":{...}}`
    static func error(_ error: ChatError) -> JSONObject {
        ["type": "chatCmdError", "chatError": error.json]
    }
}
