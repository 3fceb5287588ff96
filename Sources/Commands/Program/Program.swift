import ChatCore
import CommandKit
import CryptoCore
import SystemIO
import TerminalKit

/// The program, from the words that the process was born with to its end.
public enum Program {
    /// The variable that holds the key of the store itself.
    fileprivate static let keyVariable = "TACIT_KEY"

    /// Runs the command that the command line asks for, and ends the process.
    ///
    /// - Parameter session: The face that opens where no command was typed, on a terminal.
    public static func run(session: SessionFace? = nil) -> Never {
        ProcessEnvironment.occupyStandardStreams()
        ProcessEnvironment.protect()
        ProcessEnvironment.keepFreedMemory()
        ProcessEnding.outlivesFileSizeLimit()
        // SECURITY: before there is another thread, and before any child.
        let key = ProcessEnvironment.withValue(of: keyVariable) { Secret(copying: $0) }
        // A key that is not UTF-8 stays, and is refused with the others.
        if key != nil { ProcessEnvironment.remove(keyVariable) }
        let isOfficial = ProcessEnvironment.programName == OfficialStart.programName
        let option =
            isOfficial ? ProcessEnvironment.overwriteOption("k", "key") { Secret(copying: $0) } : nil
        let words = ProcessEnvironment.arguments(), variables = ProcessEnvironment.allVariables()
        ProcessEnvironment.remove(keyVariable)
        let arguments = words.compactMap(\.self), environment = variables.compactMapValues(\.self)
        let run = Run(isOfficial ? [] : arguments, environment, key, session)
        let malformed = malformedNames(words, variables)
        if let first = malformed.first { ProcessEnding.exit(run.refuse(malformed: first).rawValue) }
        guard isOfficial else { ProcessEnding.exit(run.carryOut().rawValue) }
        ProcessEnding.exit(run.carryOut(official: arguments, option.flatMap { $0.count == 0 ? nil : $0 }).rawValue)
    }

    /// What counts for a run and is not UTF-8, as a person would name it. What was put in place of such bytes would be another
    /// text, another file, another key.
    private static func malformedNames(_ words: [String?], _ variables: [String: String?]) -> [String] {
        let places = words.indices.filter { words[$0] == nil }.map { "argument \($0 + 1)" }
        let names = variables.filter { $0.value == nil }.keys.filter { name in
            name == "HOME" || name.hasPrefix("TACIT_") || name.hasPrefix("XDG_")
        }
        return places + names.sorted()
    }
}

/// One run, which writes to the standard streams.
private struct Run {
    private let arguments: [String]
    private let environment: [String: String]
    private let environmentKey: Secret?
    private let configuration: Configuration
    private let session: SessionFace?
    /// A start under the name of the official program, which the arguments stand for.
    private let official: OfficialStart?
    private let keyIsOption: Bool

    init(_ arguments: [String], _ environment: [String: String], _ key: Secret?, _ session: SessionFace?) {
        // Every program is asked this way for its version.
        self.arguments = arguments == ["--version"] ? ["version"] : arguments
        var environment = environment.filter { $0.key != Program.keyVariable }
        // Cron, containers and some service managers set none.
        if environment["HOME"]?.isEmpty ?? true { environment["HOME"] = ProcessEnvironment.homeInUserDatabase() }
        self.environment = environment
        configuration = Configuration(self.environment)
        environmentKey = key.flatMap { $0.count == 0 ? nil : $0 }
        self.session = session
        official = nil
        keyIsOption = false
    }

    /// The run of tacit that a start under the name of the official program means.
    private init(_ run: Run, _ start: OfficialStart, optionKey: Secret?) {
        arguments = start.words
        environment = start.environment(run.environment, hasKey: optionKey != nil)
        configuration = Configuration(environment)
        environmentKey = optionKey ?? run.environmentKey
        session = run.session
        official = start
        keyIsOption = optionKey != nil
    }

    func carryOut() -> ExitCode {
        carryOut(arguments)
    }

    /// Does what the official program does with these arguments.
    func carryOut(official arguments: [String], _ key: Secret?) -> ExitCode {
        do {
            switch try OfficialStart.request(arguments, environment: environment) {
            // The official program has one page for both.
            case .help: return help(on: CommandTree.official.root, isFull: true, in: .official)
            case .version:
                let output = output(1, .auto)
                try output.write(verbatim: "tacit \(VersionReport.current.version)\n")
                try output.flush()
                return .ok
            case .start(let start): return Run(self, start, optionKey: key).carryOut()
            }
        } catch let error as UsageError {
            return output(2, .auto).write(Failure(error, in: .official), asJSON: false)
        } catch {
            return output(2, .auto).write(Explained(error).failure(during: "read the command line"), asJSON: false)
        }
    }

    private func carryOut(_ arguments: [String]) -> ExitCode {
        do {
            switch try configuration.request(arguments, environment: environment) {
            case .help(let command, let isFull): return help(on: command, isFull: isFull)
            case .run(let parsed): return run(parsed, arguments)
            }
        } catch {
            let isJSON = configuration.printsJSON(arguments, environment: environment)
            return output(2, .auto).write(Explained(error).failure(during: "read the command line"), asJSON: isJSON)
        }
    }

    func refuse(malformed name: String) -> ExitCode {
        output(2, .auto).write(
            .notUTF8(name),
            asJSON: configuration.printsJSON(arguments, environment: environment))
    }

    private func output(_ descriptor: Int32, _ color: ColorChoice) -> Output {
        Output(
            descriptor: descriptor,
            traits: StreamTraits(descriptor: descriptor, color: color, environment: environment))
    }

    private func help(on command: Command, isFull: Bool, in tree: CommandTree = .tacit) -> ExitCode {
        let output = output(1, .auto), width = min(output.traits.width ?? 80, 100)
        do throws(OutputError) {
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

    private func run(_ parsed: Parsed, _ arguments: [String]) -> ExitCode {
        let color = parsed[GlobalOptions.color], errors = output(2, color)
        let log: Trace
        do throws(Reason) {
            log = try Trace(parsed, errors: errors)
        } catch {
            return errors.write(error.failure(during: "begin"), asJSON: Invocation.format(parsed) == .json)
        }
        var invocation = Invocation(
            parsed, environment: environment, environmentKey: environmentKey, settings: configuration.settings,
            output: output(1, color), errors: errors, log: log, session: session)
        invocation.keyIsOption = keyIsOption
        guard let leaf = Leaf.named(parsed.command.path) else {
            guard session != nil, isForPerson else { return usage(invocation) }
            return carryOut(arguments + ReplCommand.leaf.command.path)
        }
        sayBeforehand(invocation)
        let program = official.map { OfficialProgram(start: $0, invocation: invocation) }
        return carryOut(CommandRun(leaf: leaf, invocation: invocation, program: program))
    }

    private func carryOut(_ run: CommandRun) -> ExitCode {
        switch run.carryOut() {
        case .code(let code): code
        case .closed: ProcessEnding.closedPipe()
        }
    }

    /// What should be known of the run before it begins.
    private func sayBeforehand(_ invocation: Invocation) {
        if !invocation[GlobalOptions.scrubs], invocation.log.map({ $0.level > 1 }) ?? false {
            invocation.warn("the log contains names of people")
        }
        for mistake in configuration.warnings
        where !invocation.isQuiet && Configuration.isNeeded(by: invocation.parsed.command) {
            invocation.warn("\(mistake.place): \(mistake.sentence)")
        }
        for found in configuration.settings.all {
            invocation.trace("\(found.place.key) is set in \(found.place.file):\(found.place.line)", .config, level: 2)
        }
    }

    /// Whether a person sits at both ends.
    private var isForPerson: Bool {
        Terminal(descriptor: 0).isTerminal && Terminal(descriptor: 1).isTerminal
    }

    /// Without a command there is nothing to do.
    private func usage(_ invocation: Invocation) -> ExitCode {
        let tree = CommandTree.tacit
        try? invocation.errors.write(
            verbatim: tree.shortHelp(for: tree.root, width: invocation.errors.traits.width ?? 80))
        try? invocation.errors.flush()
        return .usage
    }
}
