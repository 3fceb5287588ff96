import ByteCoding
import CommandKit
import ControlSocket
import JSONCoding
import Synchronization
import SystemIO
import TerminalKit

/// Carries out the commands of other processes on an open store: JSON-RPC 2.0, whose methods are the paths of commands.
///
/// On the loop's thread.
final class ControlService {
    /// Runs a command line as it stands, and sends its output as it comes: what the program itself uses.
    static let runMethod = "tacit.run"
    /// Ends a request early: `{"id": ...}`.
    static let cancelMethod = "tacit.cancel"
    /// What a command writes: `{"id", "stream": "stdout"|"stderr", "text"}`.
    static let outputMethod = "output"
    /// A report of a command that goes on: `{"id", "report"}`.
    static let reportMethod = "report"
    /// Whether something should be done that cannot be undone: `{"id", "question", "text"}`.
    static let questionMethod = "question"
    /// The answer: `{"id", "question", "yes"}`.
    static let answerMethod = "answer"

    let host: StoreHost
    private let environment: [String: String]
    private var conversations: [ObjectIdentifier: Conversation] = [:]

    init(_ host: StoreHost, _ environment: [String: String]) {
        self.host = host
        self.environment = environment
    }

    /// Answers the requests of a connection until it ends.
    ///
    /// - Parameter onClose: Called when the other side has gone.
    func serve(_ connection: ControlConnection, onClose: @escaping () -> Void = {}) {
        let conversation = Conversation(connection, host.loop)
        let key = ObjectIdentifier(connection)
        do throws(SystemError) {
            try connection.start(
                onLine: { [weak self] _, line, file in self?.handle(line, file, conversation) },
                onEnd: { conversation.isLastAsked() },
                onClose: { [weak self] in
                    self?.conversations[key] = nil
                    conversation.end()
                    onClose()
                })
            conversations[key] = conversation
        } catch {
            connection.close()
        }
    }

    /// Asks what is being carried out to end, and waits until all of it is answered, or time is up.
    func settle(within patience: Duration) async {
        let deadline = ContinuousClock.now + patience
        for conversation in conversations.values { conversation.cancelAll() }
        while conversations.values.contains(where: { $0.isBusy }), ContinuousClock.now < deadline {
            await host.pause(.milliseconds(10))
        }
    }

    /// Ends all conversations, so that the others know at once that they are alone: this process may go on.
    func end() {
        for conversation in conversations.values { conversation.connection.close() }
    }

    // MARK: - Requests

    private func handle(_ line: Bytes?, _ file: SharedFile?, _ conversation: Conversation) {
        guard let line else {
            let text: JSONValue = .string("a request may have \(LineSplitter.limit) bytes")
            return conversation.connection.send(
                RPCReply.problem(.request, data: .object(["message": text]), to: nil))
        }
        do throws(RPCProblem) {
            let request = try RPCRequest(decoding: line)
            switch request.method {
            case ControlClient.pingMethod:
                conversation.connection.send(RPCReply.result(.object([:]), to: request.id ?? .null))
            case ControlService.runMethod: try run(request, file, conversation)
            case ControlService.cancelMethod: conversation.cancel(request)
            case ControlService.answerMethod: conversation.answer(request)
            case ControlService.listenMethod: try listen(request, conversation)
            case ControlService.executeMethod: try execute(request, conversation)
            case ControlService.changeMethod: try change(request, conversation)
            default: try call(request, file, conversation)
            }
        } catch {
            let id = (try? JSONValue(decoding: line))?.object?["id"]
            conversation.connection.send(RPCReply.problem(error, to: id))
        }
    }

    /// A command line of this program in another process.
    private func run(_ request: RPCRequest, _ file: SharedFile?, _ conversation: Conversation) throws(RPCProblem) {
        guard let id = request.id, let face = ControlFace(request.extensions[ControlFace.field]),
            let words = request.params?.array?.map(\.string), !words.contains(nil)
        else { throw .params }
        let loop = host.loop, link = conversation.link
        func output(_ stream: String, _ traits: StreamTraits) -> Output {
            Output(traits: traits) { bytes throws(OutputError) in
                for text in RPCReply.pieces(of: bytes) {
                    try link.send(
                        RPCReply.notification(
                            ControlService.outputMethod, ["id": id, "stream": .string(stream), "text": .string(text)]),
                        loop)
                }
            }
        }
        var command = HostedCommand(
            words.compactMap { $0 }, output: output("stdout", face.output), errors: output("stderr", face.errors),
            questions: .asking { question in link.ask(question, id, loop) })
        command.environment = face.environment
        command.profilePassword = face.profilePassword
        command.settings = face.settings
        command.zone = face.zone
        command.input = file
        start(command, id, conversation) { code in
            link.reply(RPCReply.result(.object(["exit": .integer(Int64(code.rawValue))]), to: id))
        }
    }

    /// A request of any program.
    private func call(_ request: RPCRequest, _ file: SharedFile?, _ conversation: Conversation) throws(RPCProblem) {
        guard let command = RPCArguments.command(of: request.method), !command.isHidden else { throw .method }
        let words: [String]
        do throws(RPCArguments.Mistake) {
            words = try RPCArguments.words(of: command, request.params)
        } catch {
            return conversation.connection.send(
                RPCReply.problem(.params, data: .object(["message": .string(error.text)]), to: request.id))
        }
        let printed = PrintedReports(), errors = PrintedReports(), link = conversation.link, loop = host.loop
        let isStream = command.path == WatchCommand.leaf.command.path, id = request.id
        let output = Output(traits: .pipe) { bytes throws(OutputError) in
            guard isStream else { return printed.take(bytes) }
            for report in printed.reports(endingIn: bytes) {
                try link.send(
                    RPCReply.notification(ControlService.reportMethod, ["id": id ?? .null, "report": report]), loop)
            }
        }
        let trouble = Output(traits: .pipe) { bytes throws(OutputError) in errors.take(bytes) }
        var hosted = HostedCommand(["--json"] + words, output: output, errors: trouble, questions: .nobody)
        hosted.input = file
        let early = Cancellation(), key = id ?? .null
        conversation.commands[key] = early
        // Who sends one message after the other wants them to come so.
        conversation.turns.take { [self] pass in
            hosted.whenWritten = pass
            start(hosted, key, conversation) { code in
                pass()
                guard let id else { return }
                link.reply(ControlService.answer(code, printed.all, errors.all.reports, to: id))
            }
            if early.isRequested { conversation.commands[key]?.request() }
            if isStream { pass() }
        }
    }

    private func start(
        _ command: HostedCommand, _ id: JSONValue, _ conversation: Conversation,
        then finish: @escaping @Sendable (ExitCode) -> Void
    ) {
        let link = conversation.link
        conversation.commands[id] = command.start(on: host, environment: environment) { code in
            link.finish(id)
            finish(code)
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
}
