import CommandKit
import SystemIO
import TerminalKit

/// A run of a command, from what was asked for to the exit code.
struct CommandRun {
    let leaf: Leaf
    let invocation: Invocation
    /// What runs instead of the command, if the program was started under the name of the official one.
    var program: OfficialProgram?

    /// How it ended.
    enum Ending {
        case code(ExitCode)
        /// Whoever read the results has gone.
        case closed
    }

    /// Runs the command on this thread, and reports what went wrong.
    func carryOut() -> Ending {
        do {
            try checkFormatVersion()
            try invocation.checkFields()
            let code = try program?.run() ?? leaf.run(invocation)
            try invocation.output.flush()
            return .code(code)
        } catch OutputError.closed {
            return .closed
        } catch {
            try? invocation.output.flush()
            return .code(report(error))
        }
    }

    /// Reports why it failed, and returns the exit code that it asks for.
    func report(_ error: any Error) -> ExitCode {
        invocation.report(Explained(error).failure(during: leaf.purpose(invocation.parsed)))
    }

    private func checkFormatVersion() throws(Failure) {
        let version = invocation[GlobalOptions.formatVersion]
        guard version != 1 else { return }
        throw Failure.unsupportedFormat(version: version)
    }
}
