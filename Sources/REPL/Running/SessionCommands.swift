import ByteCoding
import Commands
import CryptoCore
import JSONCoding
import SystemIO
import TerminalKit

/// The commands that run in a session, one at a time. One that takes long can be abandoned.
final class SessionCommands: CommandRunner {
    /// Calls its argument in the isolation of the session, from any thread.
    typealias Courier = @Sendable (@escaping @Sendable (SessionCommands) -> Void) -> Void

    private struct Running {
        let number: Int
        let task: Task<ExitCode, Never>
        let end: CheckedContinuation<ExitCode, Never>
    }

    /// Commands that would take the terminal, or never end.
    private static let refused: Set<String> = ["repl", "watch", "daemon", "rpc", "demo"]
    /// The time after which the session says that a command takes long.
    private static let longTime = Duration.seconds(3)
    /// The time for a cancelled command to end.
    private static let cancelTimeout = Duration.seconds(1)

    private let service: any CommandService
    private let display: Display
    private let scheduler: any Scheduler
    /// Set before the first command, and nil after the end of the session.
    var courier: Courier?
    /// The open profile.
    var profile: () -> Int64? = { nil }
    /// Called with the first word of each command that has ended.
    var onEnd: (_ command: String, _ isPart: Bool) async -> Void = { _, _ in }
    /// Called when a question was asked that a line which is typed already must not answer.
    var onQuestion: () -> Void = {}

    private var running: Running?
    /// The number of commands that were started.
    private var count = 0
    /// The command that printed last.
    private var lastPrinting = 0
    /// Commands that go on without being waited for.
    private var abandoned: Set<Int> = []

    init(_ service: any CommandService, display: Display, scheduler: any Scheduler) {
        (self.service, self.display, self.scheduler) = (service, display, scheduler)
    }

    var isRunning: Bool { running != nil }

    func guesses(forUnknown words: [String]) -> [String]? { service.guesses(forUnknown: words) }

    // MARK: - Running

    @discardableResult
    func run(_ words: [String], isPart: Bool) async -> ExitCode {
        guard let first = words.first else { return .usage }
        guard !SessionCommands.refused.contains(first) else {
            display.say("'\(first)' works in the shell only", .error)
            return .usage
        }
        // Text of other people has been escaped where it was written: this output is made for the terminal.
        let traits = StreamTraits(
            isTerminal: false, width: display.area.width - 1, usesColor: display.terminal?.usesColor ?? false)
        let number = nextNumber(), output = output(traits, of: number)
        let errors = isPart ? Output(collecting: traits) : output
        let code = await run(words, number, output, errors)
        if code == .ok, !isPart, lastPrinting != number, let words = EmptyList.sentence(for: words) {
            display.say(words, .muted)
        }
        await onEnd(first, isPart)
        return code
    }

    func collect(_ words: [String]) async -> (code: ExitCode, reports: [JSONObject]) {
        let output = Output(collecting: .pipe), errors = Output(collecting: .pipe)
        let code = await run(["--json"] + words, nextNumber(), output, errors)
        func objects(_ output: Output) -> [JSONObject] {
            output.collected.split(separator: UInt8(ascii: "\n")).compactMap {
                (try? JSONValue(decoding: Bytes($0)))?.object
            }
        }
        if code != .ok, let message = objects(errors).last?["message"]?.string { display.say(message, .error) }
        return (code, objects(output))
    }

    private func nextNumber() -> Int {
        count += 1
        return count
    }

    private func run(_ words: [String], _ number: Int, _ output: Output, _ errors: Output) async -> ExitCode {
        let profile = profile().map { ["--profile", "id:p\($0)"] } ?? []
        guard let courier else { return .later }
        let task = service.start(
            profile + words, output: output, errors: errors,
            questions: .asked(
                by: { SessionCommands.ask($0, for: number, courier) },
                forSecrets: { SessionCommands.askSecret($0, for: number, courier) }))
        return await withCheckedContinuation { continuation in
            running = Running(number: number, task: task, end: continuation)
            scheduler.start { [weak self] in self?.end(number, await task.value) }
            scheduler.after(SessionCommands.longTime) { [weak self] in self?.sayRunning(number) }
        }
    }

    /// The command has ended, or was abandoned.
    private func end(_ number: Int, _ code: ExitCode) {
        abandoned.remove(number)
        guard let command = running, command.number == number else { return }
        running = nil
        command.end.resume(returning: code)
    }

    private func sayRunning(_ number: Int) {
        guard running?.number == number, let terminal = display.terminal, !terminal.isAsking, !terminal.isAskingSecret
        else { return }
        display.say("this takes a while; Ctrl-C stops waiting", .muted)
    }

    /// Cancels the command, and abandons it if it does not end.
    func cancel() {
        guard let command = running else { return }
        command.task.cancel()
        let number = command.number
        scheduler.after(SessionCommands.cancelTimeout) { [weak self] in self?.abandon(number) }
    }

    /// Cancels the command at the end of the session.
    func cancelAtEnd() {
        running?.task.cancel()
    }

    private func abandon(_ number: Int) {
        guard running?.number == number else { return }
        display.say("stopped waiting; the command may still take effect", .warning)
        end(number, .later)
        abandoned.insert(number)
    }

    // MARK: - Output and questions, from other threads

    /// Output that is printed above the prompt.
    private func output(_ traits: StreamTraits, of number: Int) -> Output {
        let courier = courier ?? { _ in }
        return Output(traits: traits) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            courier { $0.print(text, of: number) }
        }
    }

    private func print(_ text: String, of number: Int) {
        lastPrinting = number
        guard !display.isHidden, !abandoned.contains(number) else { return }
        let rows = WrappedOutput.text(Advice.inSession(text), width: display.area.width - 1)
        display.terminal?.print(verbatim: rows.hasSuffix("\n") ? rows : rows + "\n")
    }

    private static func ask(_ question: StyledText, for number: Int, _ courier: Courier) -> Bool? {
        guard let result = try? BlockingResult<Bool?>() else { return nil }
        courier { commands in
            guard let terminal = commands.display.terminal, !commands.abandoned.contains(number) else {
                return result.deliver(nil)
            }
            commands.onQuestion()
            terminal.ask(commands.display.fitting(question + " [y/N] ")) { answer in
                result.deliver(answer.map(Display.isYes))
            }
        }
        return result.wait()
    }

    private static func askSecret(_ question: StyledText, for number: Int, _ courier: Courier) -> Secret? {
        guard let result = try? BlockingResult<Secret?>() else { return nil }
        courier { commands in
            let display = commands.display
            guard let terminal = display.terminal, !display.isHidden, !commands.abandoned.contains(number) else {
                return result.deliver(nil)
            }
            terminal.askSecret(display.fitting(question + ": "), isRefusable: true) { result.deliver($0) }
        }
        return result.wait()
    }
}
