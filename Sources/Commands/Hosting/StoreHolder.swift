import ByteCoding
import ChatCore
import ControlSocket
import JSONCoding
import SystemIO
import TerminalKit

/// Another process that has the store open: it carries out what this one wants changed, and says what happens.
///
/// There is one connection for all of it, on the loop, so that nothing waits for anything else.
actor StoreHolder {
    /// What it does, as it was typed.
    nonisolated let command: String
    private let loop: EventLoop
    private let connection: ControlConnection
    private let succession: Succession
    private var lastID: Int64 = 0
    private var requests: [Int64: Request] = [:]
    private var hasEnded = false
    private var onEnd: () -> Void = {}

    /// A request that is not answered yet.
    private struct Request {
        let onNotification: (String, JSONObject) -> Void
        /// Nil stands for the end of the holder.
        let onAnswer: (RPCMessage?) -> Void
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// Connects.
    ///
    /// - Throws: ``SystemError`` if nobody listens there any more.
    init(_ hosted: StoreIsHosted, _ folder: StoreFolder, _ loop: EventLoop) throws(SystemError) {
        let connection = try ControlConnection(to: hosted.socket, loop: loop)
        command = hosted.holder.command.map { "tacit \($0)" } ?? "tacit"
        self.loop = loop
        self.connection = connection
        succession = Succession(folder, former: hosted.holder, loop)
    }

    /// Begins to read what it says. Before anything else, on the loop's thread.
    func start() throws(SystemError) {
        try connection.start(
            onLine: { [weak self] _, line, _ in
                guard let message = line.flatMap({ RPCMessage(decoding: $0) }) else { return }
                self?.assumeIsolated { $0.take(message) }
            },
            onEnd: { [weak self] in self?.assumeIsolated { $0.connection.close() } },
            onClose: { [weak self] in self?.assumeIsolated { $0.end() } })
    }

    private func take(_ message: RPCMessage) {
        switch message {
        case .notification(let method, let params):
            params["id"]?.integer.flatMap { requests[$0] }?.onNotification(method, params)
        case .result(_, let id), .error(_, _, _, let id):
            id.integer.flatMap { requests.removeValue(forKey: $0) }?.onAnswer(message)
        }
    }

    private func end() {
        hasEnded = true
        let waiting = requests.values
        requests = [:]
        for request in waiting { request.onAnswer(nil) }
        onEnd()
    }

    /// See ``OpenSession/whenHolderEnds(_:)``.
    func whenEnded(_ notice: @escaping @Sendable () -> Void) {
        let succession = succession
        onEnd = { succession.wait(then: notice) }
        if hasEnded { onEnd() }
    }

    /// Ends the connection, of which nobody wants anything more.
    func close() {
        onEnd = {}
        connection.close()
    }

    // MARK: - Requests

    private func begin(
        _ method: String, _ params: [JSONValue], extensions: JSONObject = [:],
        onNotification: @escaping (String, JSONObject) -> Void = { _, _ in },
        onAnswer: @escaping (RPCMessage?) -> Void
    ) -> Int64 {
        lastID += 1
        guard !hasEnded else {
            onAnswer(nil)
            return lastID
        }
        requests[lastID] = Request(onNotification: onNotification, onAnswer: onAnswer)
        let request = RPCRequest(
            id: .integer(lastID), method: method, params: .array(params), extensions: extensions)
        connection.send(request.json)
        return lastID
    }

    /// Says something that wants no answer.
    private func say(_ method: String, _ params: JSONObject) {
        guard !hasEnded else { return }
        connection.send(RPCRequest(id: nil, method: method, params: .object(params)).json)
    }

    /// Has a command of the core carried out, and returns the entries that it was about.
    func change(_ command: CoreCommand) async throws -> [ChatItemID] {
        let answer = await withCheckedContinuation { continuation in
            _ = begin(ControlService.changeMethod, [.string(command.text)]) { continuation.resume(returning: $0) }
        }
        switch answer {
        case .result(let result, _):
            return (result.object?["items"]?.array ?? []).compactMap { $0.integer.map { ChatItemID($0) } }
        case .error(_, _, let data, _): throw data?.object.flatMap { Failure($0) } ?? Reason.otherVersion.failure
        case .notification, nil: throw HolderEnded()
        }
    }

    /// Has a typed command carried out.
    func execute<Command: ChatCommand>(_ command: Command) async throws -> Command.Response {
        let answer = await withCheckedContinuation { continuation in
            _ = begin(ControlService.executeMethod, [.string(command.text)]) { continuation.resume(returning: $0) }
        }
        switch answer {
        case .result(let result, _):
            guard let json = result.object, let response = try? Command.Response(json: json) else {
                throw Reason.otherVersion
            }
            return response
        case .error(_, _, let data, _): throw data?.object.flatMap { Failure($0) } ?? Reason.otherVersion.failure
        case .notification, nil: throw HolderEnded()
        }
    }

    /// The same for a command whose effect alone matters.
    func perform(_ command: some ChatCommand) async throws {
        _ = try await execute(command)
    }

    /// Has what happens told, one after the other, until the holder ends.
    ///
    /// - Parameter look: Looks an entry up.
    func listen(
        _ look: @escaping @Sendable (ChatItemID) async -> LocatedItem?,
        _ listener: @escaping @Sendable (SessionEvent) -> Void
    ) async throws {
        let (digests, arrival) = AsyncStream<EventDigest>.makeStream()
        let hasBegun: Bool? = await withCheckedContinuation { continuation in
            var first: CheckedContinuation<Bool?, Never>? = continuation
            _ = begin(
                ControlService.listenMethod, [],
                onNotification: { _, params in
                    if let digest = EventDigest(params) { arrival.yield(digest) }
                    first?.resume(returning: true)
                    first = nil
                },
                onAnswer: { answer in
                    arrival.finish()
                    first?.resume(returning: answer == nil ? nil : false)
                    first = nil
                })
        }
        guard let hasBegun else { throw HolderEnded() }
        guard hasBegun else { throw Reason.otherVersion }
        Task(executorPreference: loop) {
            for await digest in digests { if let event = await digest.event(look) { listener(event) } }
        }
    }

    /// Has a command line carried out. It ends early if the task is cancelled.
    func run(_ command: HostedCommand) async -> ExitCode {
        let number = Number()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = { (answer: RPCMessage?) in
                    continuation.resume(returning: StoreHolder.code(answer, command.errors))
                }
                number.value = begin(
                    ControlService.runMethod, command.words.map { .string($0) },
                    extensions: [ControlFace.field: ControlFace(command).json],
                    onNotification: { [weak self] method, params in
                        self?.assumeIsolated { $0.take(method, params, of: command) }
                    }, onAnswer: answer)
            }
        } onCancel: {
            // After what has been begun, on whatever thread this is.
            loop.post { self.assumeIsolated { $0.cancel(number.value) } }
        }
    }

    private func cancel(_ id: Int64?) {
        if let id { say(ControlService.cancelMethod, ["id": .integer(id)]) }
    }

    private static func code(_ answer: RPCMessage?, _ errors: Output) -> ExitCode {
        if case .result(let result, _)? = answer, let code = result.object?["exit"]?.integer {
            return ExitCode(rawValue: Int32(clamping: code)) ?? .bug
        }
        let reason = answer == nil ? Reason.lostHolder : Reason.otherVersion
        return errors.write(reason.failure, asJSON: false)
    }

    /// Something about a command that is being carried out.
    private func take(_ method: String, _ params: JSONObject, of command: HostedCommand) {
        switch method {
        case ControlService.outputMethod:
            let stream = params["stream"]?.string == "stderr" ? command.errors : command.output
            try? stream.write(verbatim: params["text"]?.string ?? "")
            try? stream.flush()
        case ControlService.questionMethod: ask(params, command.questions)
        default: break
        }
    }

    private func ask(_ params: JSONObject, _ questions: Questions) {
        let question = StyledText(params["text"]?.string ?? "")
        loop.offload(
            { (try? questions.confirm(question)) ?? false },
            then: { [weak self] isYes in
                self?.assumeIsolated { holder in
                    holder.say(
                        ControlService.answerMethod,
                        ["id": params["id"] ?? 0, "question": params["question"] ?? 0, "yes": .bool(isYes)])
                }
            })
    }

    /// The number of a request that is not known before it has begun.
    private final class Number: @unchecked Sendable {
        // Safe because it is only touched on the loop's thread.
        var value: Int64?
    }
}

/// The process that had the store open has ended, and nobody has taken its place yet.
struct HolderEnded: Error {}

extension Reason {
    init(_ error: HolderEnded) { self = .replacedHolder }

    fileprivate var failure: Failure { failure(during: OpenSession.purpose) }
}

extension Failure {
    /// An error that another process reported.
    fileprivate init?(_ json: JSONObject) {
        guard let code = json["code"]?.string.flatMap(Slug.init), let what = json["message"]?.string,
            let exit = json["exit"]?.integer.flatMap({ ExitCode(rawValue: Int32(clamping: $0)) })
        else { return nil }
        let why = json["why"]?.string.map { $0.split(separator: "\n").map(String.init) } ?? []
        let tries = (json["try"]?.array ?? []).compactMap { $0.string.map { Attempt($0) } }
        self.init(code, exit, what, why: why, tries: tries)
    }
}
