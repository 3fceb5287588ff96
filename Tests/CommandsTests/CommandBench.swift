import ByteCoding
import ChatCore
import CommandKit
import Host
import JSONCoding
import Synchronization
import SystemIO
import TerminalKit
import TestSupport

@testable import Commands

/// A core that answers each command as a test says, and records the commands.
final class ScriptedCore: Core {
    private struct State {
        var answers: [ObjectIdentifier: @Sendable (any ChatCommand) -> Result<any ChatResponse, ChatError>] = [:]
        var commands: [any ChatCommand] = []
    }

    private let state = Mutex(State())

    /// Answers the commands of a type from now on.
    func answer<Command: ChatCommand>(
        _ type: Command.Type, _ body: @escaping @Sendable (Command) throws(ChatError) -> Command.Response
    ) {
        let answer: @Sendable (any ChatCommand) -> Result<any ChatResponse, ChatError> = { command in
            guard let command = command as? Command else { return .failure(.internal) }
            do throws(ChatError) {
                let response = try body(command)
                return .success(response)
            } catch {
                return .failure(error)
            }
        }
        state.withLock { $0.answers[ObjectIdentifier(type)] = answer }
    }

    /// The commands of a type that were carried out, oldest first.
    func commands<Command: ChatCommand>(_ type: Command.Type) -> [Command] {
        state.withLock { $0.commands.compactMap { $0 as? Command } }
    }

    func execute<Command: ChatCommand>(_ command: Command) async throws(ChatError) -> Command.Response {
        let answer = state.withLock { state in
            state.commands.append(command)
            return state.answers[ObjectIdentifier(Command.self)]
        }
        // A command without an answer is one that the test does not expect.
        guard let response = try answer?(command).get() as? Command.Response else { throw .commandSyntax }
        return response
    }
}

/// Command lines on a core in memory: what they ask of it, print and return.
final class CommandBench {
    let core = ScriptedCore()
    private let folder: TemporaryFolder
    private let loop: EventLoop
    private let store: OpenStore

    /// The result of a command line.
    struct Run {
        let code: ExitCode
        let output: String
        let errors: String

        /// The lines of the output as JSON.
        var reports: [JSONObject] {
            output.split(separator: "\n").compactMap { (try? JSONValue(decoding: Bytes($0.utf8)))?.object }
        }
        /// The slug of the error, of a command with `--json`.
        var error: String? {
            errors.split(separator: "\n").compactMap {
                (try? JSONValue(decoding: Bytes($0.utf8)))?.object?["code"]?.string
            }
            .last
        }
    }

    init() throws {
        folder = try TemporaryFolder()
        loop = try EventLoop()
        store = OpenStore(core, StoreFolder(folder.path + "/store"), loop, command: "repl")
    }

    var path: String { folder.path }

    /// Says that something happened in the store. On the loop's thread, where answers are made.
    var tell: @Sendable (any ChatEvent) -> Void { { [store] in store.events.tell($0) } }

    /// Runs a command line.
    ///
    /// - Parameter isCancelled: Returns true when the command is to be ended early.
    func run(_ words: String..., endingWhen isCancelled: @escaping () -> Bool = { false }) -> Run {
        let output = Output(collecting: .pipe), errors = Output(collecting: .pipe)
        let command = InnerCommand(words, output: output, errors: errors, questions: .nobody)
        let code = Mutex<ExitCode?>(nil)
        let environment = ["HOME": folder.path, "TACIT_DIR": folder.path + "/store", "TZ": "UTC"]
        let cancellation = command.start(on: store, environment: environment) { ended in code.withLock { $0 = ended } }
        var isLate = false, isEnding = false
        let timer = loop.after(.seconds(300)) { isLate = true }
        loop.run {
            if !isEnding, isCancelled() {
                isEnding = true
                cancellation.request()
            }
            return isLate || code.withLock { $0 } != nil
        }
        timer.cancel()
        return Run(
            code: code.withLock { $0 } ?? .bug, output: String(decoding: output.collected, as: UTF8.self),
            errors: String(decoding: errors.collected, as: UTF8.self))
    }
}
