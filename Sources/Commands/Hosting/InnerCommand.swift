import ChatCore
import CommandKit
import Host
import SystemIO
public import TerminalKit

/// A command that runs on a store that this process has open already: one that a session or a client of `tacit rpc` asks for.
public struct InnerCommand: Sendable {
    /// The words as they would be typed behind the name of the program.
    let words: [String]
    let output: Output
    let errors: Output
    let questions: Questions
    var profilePassword: String?
    /// Called when all that it writes is written, and it goes on only to wait.
    var whenWritten: @Sendable () -> Void = {}

    /// A command that a face reads in its own way, and whose output it shows as it likes.
    public init(_ words: [String], output: Output, errors: Output, questions: Questions) {
        self.words = words
        self.output = output
        self.errors = errors
        self.questions = questions
    }

    /// Runs it on a thread of its own, as one of the commands that the host's process carries out.
    ///
    /// - Parameters:
    ///   - environment: That of the process.
    ///   - finish: Called on the loop.
    /// - Returns: What ends the command early.
    @discardableResult
    func start(
        on host: OpenStore, environment: [String: String], then finish: @escaping @Sendable (ExitCode) -> Void
    ) -> Cancellation {
        // What was written stands in the loop's queue, and its end must come behind it.
        func end(_ code: ExitCode) -> Cancellation {
            host.loop.post { finish(code) }
            return Cancellation()
        }
        let invocation: Invocation
        let configuration = Configuration(environment)
        do {
            switch try configuration.request(words, environment: environment) {
            case .help(let command, let isFull):
                help(on: command, isFull: isFull)
                return end(.ok)
            case .run(let parsed):
                var inner = Invocation(
                    parsed, environment: environment, environmentKey: nil, settings: configuration.settings,
                    output: output, errors: errors, log: Trace(inner: parsed, errors: errors), host: host,
                    input: .nothing, questions: questions,
                    profilePassword: KeptPassword(profilePassword))
                inner.whenWritten = whenWritten
                invocation = inner
            }
        } catch {
            let isJSON = configuration.printsJSON(words, environment: environment)
            return end(errors.write(Explained(error).failure(during: "read the command line"), asJSON: isJSON))
        }
        guard let leaf = Leaf.named(invocation.parsed.command.path) else {
            help(on: CommandTree.tacit.root, isFull: false)
            return end(.usage)
        }
        let run = CommandRun(leaf: leaf, invocation: invocation)
        WorkerThread.start {
            let code = run.innerCode()
            host.loop.post { finish(code) }
        }
        return invocation.cancellation
    }

    private func help(on command: Command, isFull: Bool) {
        let tree = CommandTree.tacit, width = min(output.traits.width ?? 80, 100)
        try? output.write(
            verbatim: isFull ? tree.fullHelp(for: command, width: width) : tree.shortHelp(for: command, width: width))
        try? output.flush()
    }
}

extension CommandRun {
    /// Runs a command whose store is open in this process.
    fileprivate func innerCode() -> ExitCode {
        guard !leaf.isAlone || leaf.worksInSessions && invocation.questions.areForSecrets else {
            return report(invocation.questions.areForSecrets ? Reason.usedBySession : Reason.sharedStore)
        }
        // SECURITY: the network settings are those of the process that has the store open, not of its commands.
        guard !invocation[GlobalOptions.offline] || leaf.command.store != .writing else {
            return report(Reason.holderIsOnline)
        }
        switch carryOut() {
        case .code(let code): return code
        case .closed: return .ok
        }
    }
}
