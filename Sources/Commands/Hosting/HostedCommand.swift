import ChatCore
import CommandKit
import ControlSocket
import SystemIO
public import TerminalKit

/// A command that runs on a store that is open already.
public struct HostedCommand: Sendable {
    /// The words as they would be typed behind the name of the program.
    let words: [String]
    let output: Output
    let errors: Output
    let questions: Questions
    var environment: [String: String] = [:]
    var input: SharedFile?
    var profilePassword: String?
    /// What the configuration says; nil for that of the host's process.
    var settings: Settings?
    /// The clock on the wall of whoever typed it; nil for that of the host's process.
    var zone: ZoneRules?
    /// Called when all that it writes is written, and it goes on only to wait.
    var whenWritten: @Sendable () -> Void = {}

    /// A command that a face reads in its own way, and whose output it shows as it likes.
    public init(_ words: [String], output: Output, errors: Output, questions: Questions) {
        self.words = words
        self.output = output
        self.errors = errors
        self.questions = questions
    }

    /// Whether it changes the store, so that it runs where the store is open for writing.
    ///
    /// - Parameter environment: As for ``start(on:environment:then:)``.
    func isForHolder(_ environment: [String: String]) -> Bool {
        guard
            case .run(let parsed)? = try? Configuration(environment).request(
                words, environment: variables(environment)),
            let leaf = Leaf.named(parsed.command.path)
        else { return false }
        return leaf.command.store == .writing && !leaf.isAlone
    }

    private func variables(_ environment: [String: String]) -> [String: String] {
        environment.filter { !$0.key.hasPrefix("TACIT_") }.merging(self.environment) { _, own in own }
    }

    /// Runs it on a thread of its own, as one of the commands that the host's process carries out.
    ///
    /// - Parameters:
    ///   - environment: That of the host's process; the variables of the command itself win.
    ///   - finish: Called on the loop.
    /// - Returns: What ends the command early.
    @discardableResult
    func start(
        on host: StoreHost, environment: [String: String], then finish: @escaping @Sendable (ExitCode) -> Void
    ) -> Cancellation {
        // What was written stands in the loop's queue, and its end must come behind it.
        func end(_ code: ExitCode) -> Cancellation {
            host.loop.post { finish(code) }
            return Cancellation()
        }
        let invocation: Invocation
        let configuration = settings.map { Configuration($0) } ?? Configuration(environment)
        do {
            switch try configuration.request(words, environment: variables(environment)) {
            case .help(let command, let isFull):
                help(on: command, isFull: isFull)
                return end(.ok)
            case .run(let parsed):
                if let refusal = refusal(of: parsed, host) {
                    return end(errors.write(refusal, asJSON: Invocation.format(parsed) == .json))
                }
                var hosted = Invocation(
                    parsed, environment: environment, environmentKey: nil, settings: configuration.settings,
                    output: output, errors: errors, log: Trace(hosted: parsed, errors: errors), host: host,
                    input: CommandInput(input), questions: questions,
                    profilePassword: KeptPassword(profilePassword))
                hosted.zone = zone
                hosted.whenWritten = whenWritten
                invocation = hosted
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
            let code = run.hostedCode()
            host.loop.post { finish(code) }
        }
        return invocation.cancellation
    }

    /// Why the command may not run here: it is to be connected otherwise than the store is.
    ///
    /// SECURITY: who names a proxy for a command believes that the command goes through it.
    private func refusal(of parsed: Parsed, _ host: StoreHost) -> Failure? {
        guard let leaf = Leaf.named(parsed.command.path), leaf.command.store == .writing else { return nil }
        // Where nothing is connected there is no wrong way.
        guard host.network != .offline, host.network != .closed else { return nil }
        for (setting, declared) in ProgramSettings.network {
            for name in declared.declaration.variables {
                // An empty one counts where nothing is a value, as everywhere.
                guard let text = environment[name], !text.isEmpty || setting == .proxy else { continue }
                let wish = try? NetworkSettings([setting: text]).texts[setting]
                if wish == host.network.texts[setting] { continue }
                return Reason.otherRoute(name).failure(during: leaf.purpose(parsed))
            }
        }
        return nil
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
    fileprivate func hostedCode() -> ExitCode {
        guard !leaf.isAlone || leaf.worksInSessions && invocation.questions.areForSecrets else {
            return report(invocation.questions.areForSecrets ? Reason.usedBySession : Reason.sharedStore)
        }
        // SECURITY: the process that has the store open is connected, whatever one of its commands wishes.
        guard !invocation[GlobalOptions.offline] || leaf.command.store != .writing else {
            return report(
                Reason.holderIsOnline)
        }
        switch carryOut() {
        case .code(let code): return code
        case .closed: return .ok
        case .hosted(let error): return report(StoreInUse(error, .needsItsEnd, command: invocation.commandName))
        }
    }
}
