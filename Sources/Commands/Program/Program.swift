import ChatCore
import CommandKit
import CryptoCore
import SystemIO
import TerminalKit

/// The program, from the words of its command line to the end of the process.
public enum Program {
    /// The variable that holds the key of the store itself.
    fileprivate static let keyVariable = "TACIT_KEY"

    /// Runs the command that the words (without the program's name) ask for, and ends the process.
    ///
    /// - Parameter session: The face that opens where no command was typed, on a terminal.
    public static func run(
        _ arguments: [String], environment: [String: String], session: SessionFace? = nil
    ) -> Never {
        ProcessEnvironment.protect()
        // SECURITY: before there is another thread, and before any child.
        ProcessEnvironment.remove(keyVariable)
        let run = Run(arguments, environment, session)
        ProcessEnding.exit(run.carryOut().rawValue)
    }
}

/// One run, which writes to the standard streams.
private struct Run {
    private let arguments: [String]
    private let environment: [String: String]
    private let environmentKey: Secret?
    private let session: SessionFace?

    init(_ arguments: [String], _ environment: [String: String], _ session: SessionFace?) {
        self.session = session
        // Every program is asked this way for its version.
        self.arguments = arguments == ["--version"] ? ["version"] : arguments
        self.environment = environment.filter { $0.key != Program.keyVariable }
        environmentKey = environment[Program.keyVariable].flatMap { text in
            text.isEmpty ? nil : Secret(copying: Array(text.utf8))
        }
    }

    private init(
        _ arguments: [String], _ environment: [String: String], key: Secret?, _ session: SessionFace?
    ) {
        self.arguments = arguments
        self.environment = environment
        environmentKey = key
        self.session = session
    }

    func carryOut() -> ExitCode {
        do throws(UsageError) {
            switch try CommandTree.tacit.parse(arguments: arguments, environment: environment) {
            case .help(let command, let isFull): return help(on: command, isFull: isFull)
            case .run(let parsed): return run(parsed)
            }
        } catch {
            // What cannot be read as a whole may still say how errors are to be printed.
            let isJSON = arguments.contains("--json") || environment["TACIT_FORMAT"] == "json"
            return output(2, .auto).write(Failure(error), asJSON: isJSON)
        }
    }

    private func output(_ descriptor: Int32, _ color: ColorChoice) -> Output {
        Output(
            descriptor: descriptor,
            traits: StreamTraits(descriptor: descriptor, color: color, environment: environment))
    }

    private func help(on command: Command, isFull: Bool) -> ExitCode {
        let output = output(1, .auto), width = min(output.traits.width ?? 80, 100)
        do throws(OutputError) {
            let tree = CommandTree.tacit
            if isFull {
                try output.write(page: tree.fullHelp(for: command, width: width), environment: environment)
            } else {
                try output.write(verbatim: tree.shortHelp(for: command, width: width))
            }
            try output.flush()
            return .ok
        } catch .closed {
            ProcessEnding.closedPipe()
        } catch {
            return self.output(2, .auto).write(Explained(error).failure(during: "print help"), asJSON: false)
        }
    }

    private func run(_ parsed: Parsed) -> ExitCode {
        let color = parsed[GlobalOptions.color]
        let invocation = Invocation(
            parsed, environment: environment, environmentKey: environmentKey, output: output(1, color),
            errors: output(2, color), session: session)
        guard let leaf = Leaf.named(parsed.command.path) else {
            guard session != nil, isForPerson else { return usage(invocation) }
            return Run(arguments + ReplCommand.leaf.command.path, environment, key: environmentKey, session).carryOut()
        }
        let run = CommandRun(leaf: leaf, invocation: invocation)
        let deadline = ContinuousClock.now + invocation[GlobalOptions.lockTimeout]
        while true {
            switch run.carryOut() {
            case .code(let code): return code
            case .closed: ProcessEnding.closedPipe()
            case .hosted(let error):
                do {
                    if let code = try Forwarding.run(arguments, run, at: error, until: deadline) { return code }
                } catch {
                    return run.report(error)
                }
            }
        }
    }

    /// Whether a person sits at both ends.
    private var isForPerson: Bool {
        Terminal(descriptor: 0).isTerminal && Terminal(descriptor: 1).isTerminal
    }

    /// Without a command there is nothing to do: the session for people comes with a terminal.
    private func usage(_ invocation: Invocation) -> ExitCode {
        let tree = CommandTree.tacit
        try? invocation.errors.write(
            verbatim: tree.shortHelp(for: tree.root, width: invocation.errors.traits.width ?? 80))
        try? invocation.errors.flush()
        return .usage
    }
}
