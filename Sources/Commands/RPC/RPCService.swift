import ByteCoding
import CommandKit
import Host
import JSONCoding
import Synchronization
import SystemIO
import TerminalKit

/// Answers requests of JSON-RPC 2.0, whose methods are the paths of commands, on an open store.
///
/// On the loop's thread.
final class RPCService: @unchecked Sendable {
    // Safe because it is touched on the loop's thread only.

    /// Ends a request early: `{"id": ...}`.
    private static let cancelMethod = "tacit.cancel"
    /// A report of a command that goes on: `{"id", "report"}`.
    private static let reportMethod = "report"

    private let host: OpenStore
    private let environment: [String: String]
    private let connection: ControlConnection
    /// What ends the commands that are being carried out, by the ids of their requests.
    private var commands: [JSONValue: Cancellation] = [:]
    /// The requests that go on until they are cancelled.
    private var streams: Set<JSONValue> = []
    /// In which order they begin.
    private let turns: Turns
    private let link = Link()
    private var hasEnded = false

    init(_ host: OpenStore, _ environment: [String: String], _ connection: ControlConnection) {
        self.host = host
        self.environment = environment
        self.connection = connection
        turns = Turns(host.loop)
        link.attach(connection)
    }

    /// Answers the requests of the connection until it ends.
    ///
    /// - Parameter onClose: Called when all is answered, or the other side has gone.
    func serve(onClose: @escaping () -> Void) {
        do throws(SystemError) {
            try connection.start(
                onLine: { [self] _, line in handle(line) },
                onEnd: { [self] in
                    hasEnded = true
                    // Nothing can cancel them any longer.
                    for stream in streams { commands[stream]?.request() }
                    closeIfDone()
                },
                onClose: { [self] in
                    link.close()
                    for cancellation in commands.values { cancellation.request() }
                    commands = [:]
                    onClose()
                })
        } catch {
            connection.close()
            onClose()
        }
    }

    private func finish(_ id: JSONValue) {
        commands[id] = nil
        streams.remove(id)
        // Its answer is sent in the same turn, after this.
        connection.afterThisTurn { [self] in closeIfDone() }
    }

    private func closeIfDone() {
        if hasEnded, commands.isEmpty { connection.finish() }
    }

    private func handle(_ line: Bytes?) {
        guard let line else {
            let text: JSONValue = .string("a request may have \(LineSplitter.limit) bytes")
            return connection.send(RPCReply.problem(.request, data: .object(["message": text]), to: nil))
        }
        do throws(RPCProblem) {
            let request = try RPCRequest(decoding: line)
            if request.method == RPCService.cancelMethod { return cancel(request) }
            try call(request)
        } catch {
            connection.send(RPCReply.problem(error, to: (try? JSONValue(decoding: line))?.object?["id"]))
        }
    }

    private func cancel(_ request: RPCRequest) {
        if let id = request.params?.object?["id"] { commands[id]?.request() }
    }

    private func call(_ request: RPCRequest) throws(RPCProblem) {
        guard let command = RPCArguments.command(of: request.method), !command.isHidden else {
            // A notification gets no answer, whatever is wrong with it: JSON-RPC 2.0 section 4.1.
            guard request.id != nil else { return }
            throw .method
        }
        let words: [String]
        do throws(RPCArguments.Mistake) {
            words = try RPCArguments.words(of: command, request.params)
        } catch {
            guard request.id != nil else { return }
            return connection.send(
                RPCReply.problem(.params, data: .object(["message": .string(error.text)]), to: request.id))
        }
        let printed = PrintedReports(), errors = PrintedReports(), link = link, loop = host.loop
        let isStream = command.path == WatchCommand.leaf.command.path, id = request.id
        let output = Output(traits: .pipe) { bytes throws(OutputError) in
            guard isStream else { return printed.take(bytes) }
            for report in printed.reports(endingIn: bytes) {
                try link.send(
                    RPCReply.notification(RPCService.reportMethod, ["id": id ?? .null, "report": report]), loop)
            }
        }
        let trouble = Output(traits: .pipe) { bytes throws(OutputError) in errors.take(bytes) }
        var inner = InnerCommand(["--json"] + words, output: output, errors: trouble, questions: .nobody)
        let early = Cancellation(), key = id ?? .null
        commands[key] = early
        if isStream { streams.insert(key) }
        // Who sends one message after the other wants them to come so.
        turns.take { [self] pass in
            inner.whenWritten = pass
            commands[key] = inner.start(on: host, environment: environment) { [self] code in
                finish(key)
                pass()
                guard let id else { return }
                connection.send(RPCService.answer(code, printed.all, errors.all.reports, to: id))
            }
            if early.isRequested { commands[key]?.request() }
            if isStream { pass() }
        }
    }

    /// What a request is answered: reports where a command did what it promises or answered no, an error with the exit code
    /// otherwise. A few commands print text, such as help.
    private static func answer(
        _ code: ExitCode, _ printed: PrintedReports.Whole, _ errors: [JSONValue], to id: JSONValue
    ) -> JSONObject {
        guard printed.isText else {
            let message = "what the command prints does not fit into an answer: it needs a file"
            return RPCReply.problem(.params, data: .object(["message": .string(message)]), to: id)
        }
        var content: JSONObject = ["exit": .integer(Int64(code.rawValue)), "reports": .array(printed.reports)]
        content.set("text", printed.text)
        guard code != .ok, code != .no else { return RPCReply.result(.object(content), to: id) }
        content["errors"] = .array(errors)
        let message = errors.last?.object?["message"]?.string ?? code.meaning
        return RPCReply.error(Int64(code.rawValue), message, data: .object(content), to: id)
    }

    /// The way from a command's thread to the connection.
    private final class Link: @unchecked Sendable {
        // Safe because the connection is touched on the loop's thread only, and the flag is locked.

        private weak var connection: ControlConnection?
        private let isClosed = Mutex(false)

        func attach(_ connection: ControlConnection) {
            self.connection = connection
        }

        func send(_ object: JSONObject, _ loop: EventLoop) throws(OutputError) {
            guard !isClosed.withLock({ $0 }) else { throw .closed }
            loop.post { [self] in connection?.send(object) }
        }

        func close() {
            isClosed.withLock { $0 = true }
        }
    }
}
