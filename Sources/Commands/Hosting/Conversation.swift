import ByteCoding
import ControlSocket
import JSONCoding
import Synchronization
import SystemIO
import TerminalKit

/// What is going on over one connection. On the loop's thread.
final class Conversation {
    let connection: ControlConnection
    /// The same for commands, which run on threads of their own.
    let link = Link()
    /// What ends the commands that are being carried out, by the ids of their requests.
    var commands: [JSONValue: Cancellation] = [:]
    /// In which order they begin.
    let turns: Turns
    private var hasEnded = false

    init(_ connection: ControlConnection, _ loop: EventLoop) {
        self.connection = connection
        turns = Turns(loop)
        link.attach(self)
    }

    /// Whether something is being carried out, or said.
    var isBusy: Bool { !commands.isEmpty || connection.isSending }

    /// Ends when all is answered.
    func isLastAsked() {
        hasEnded = true
        closeIfDone()
    }

    fileprivate func finish(_ id: JSONValue) {
        commands[id] = nil
        // Its answer is sent in the same turn, after this.
        connection.afterThisTurn { [weak self] in self?.closeIfDone() }
    }

    private func closeIfDone() {
        if hasEnded, commands.isEmpty { connection.finish() }
    }

    /// Ends everything: nobody waits for it.
    func end() {
        link.close()
        cancelAll()
        commands = [:]
    }

    func cancelAll() {
        for cancellation in commands.values { cancellation.request() }
    }

    func cancel(_ request: RPCRequest) {
        guard let id = request.params?.object?["id"] else { return }
        commands[id]?.request()
    }

    func answer(_ request: RPCRequest) {
        guard let params = request.params?.object, let number = params["question"]?.integer else { return }
        link.answer(Int(clamping: number), params["yes"]?.bool ?? false)
    }

    /// The way from a command's thread to its connection.
    final class Link: @unchecked Sendable {
        // Safe because the conversation is touched on the loop's thread only, and all else is locked.

        private struct State {
            var isClosed = false
            var lastQuestion = 0
            var questions: [Int: Handover<Bool?>] = [:]
        }

        private weak var conversation: Conversation?
        private let state = Mutex(State())

        fileprivate init() {}

        fileprivate func attach(_ conversation: Conversation) {
            self.conversation = conversation
        }

        /// Sends an object from a command's thread, or the loop's.
        func send(_ object: JSONObject, _ loop: EventLoop) throws(OutputError) {
            guard !state.withLock({ $0.isClosed }) else { throw .closed }
            loop.post { [self] in reply(object) }
        }

        /// Sends an object on the loop's thread.
        func reply(_ object: JSONObject) {
            conversation?.connection.send(object)
        }

        /// Forgets a command that has ended.
        func finish(_ id: JSONValue) {
            conversation?.finish(id)
        }

        /// Asks whoever is at the other end, and waits for the answer.
        func ask(_ question: StyledText, _ id: JSONValue, _ loop: EventLoop) -> Bool? {
            guard let handover = try? Handover<Bool?>() else { return nil }
            let number: Int? = state.withLock { state in
                guard !state.isClosed else { return nil }
                state.lastQuestion += 1
                state.questions[state.lastQuestion] = handover
                return state.lastQuestion
            }
            guard let number else { return nil }
            let params: JSONObject = [
                "id": id, "question": .integer(Int64(number)), "text": .string(question.text),
            ]
            try? send(RPCReply.notification(ControlService.questionMethod, params), loop)
            return handover.take()
        }

        func answer(_ number: Int, _ isYes: Bool) {
            state.withLock { $0.questions.removeValue(forKey: number) }?.give(isYes)
        }

        /// Nobody answers any more.
        func close() {
            let open = state.withLock { state in
                defer { state.questions = [:] }
                state.isClosed = true
                return state.questions.values
            }
            for handover in open { handover.give(nil) }
        }
    }
}
