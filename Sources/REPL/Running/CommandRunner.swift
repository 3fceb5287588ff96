import Commands
import JSONCoding
import TerminalKit

/// Runs commands of the tree for the parts of a session.
protocol CommandRunner: AnyObject {
    /// Runs a command and prints its output.
    ///
    /// - Parameter isPart: True if it draws a part of a screen: its errors are left out then.
    @discardableResult
    func run(_ words: [String], isPart: Bool) async -> ExitCode
    /// Runs a command and returns its reports. Its error is printed.
    func collect(_ words: [String]) async -> (code: ExitCode, reports: [JSONObject])
    /// Returns commands similar to words that begin with neither a command nor an alias; nil for words that do.
    func guesses(forUnknown words: [String]) -> [String]?
}

extension CommandRunner {
    @discardableResult
    func run(_ words: [String]) async -> ExitCode { await run(words, isPart: false) }
}

/// The command lines of an open store.
protocol CommandService: Sendable {
    /// Starts a command on a thread of its own. Cancelling the task cancels the command.
    func start(_ words: [String], output: Output, errors: Output, questions: Questions) -> Task<ExitCode, Never>
    func guesses(forUnknown words: [String]) -> [String]?
}

extension SessionStore: CommandService {
    func start(_ words: [String], output: Output, errors: Output, questions: Questions) -> Task<ExitCode, Never> {
        Task(executorPreference: loop) {
            await run(words, output: output, errors: errors, questions: questions)
        }
    }
}
