import Commands
import SystemIO
import TerminalKit

/// Commands that take long: they can be left, and what is typed meanwhile is not lost.
extension Session {
    struct RunningCommand {
        let number: Int
        let task: Task<ExitCode, Never>
        let end: CheckedContinuation<ExitCode, Never>
    }

    /// How long a command that should end may go on.
    private static let cancelPatience = Duration.seconds(1)

    /// The command has ended, or is not waited for any more.
    func end(_ number: Int, _ code: ExitCode) {
        abandonedCommands.remove(number)
        guard let command = runningCommand, command.number == number else { return }
        runningCommand = nil
        command.end.resume(returning: code)
    }

    func isAbandoned(_ number: Int) -> Bool { abandonedCommands.contains(number) }

    func sayRunning(_ number: Int) {
        guard runningCommand?.number == number, let editor, !editor.isAsking, editor.secret == nil else { return }
        say("this takes a while; Ctrl-C stops waiting", .muted)
    }

    /// Asks the command to end, and leaves it if it does not.
    func cancelCommand() {
        guard let command = runningCommand else { return }
        command.task.cancel()
        let number = command.number
        store.loop.after(Session.cancelPatience) { [weak self] in self?.assumeIsolated { $0.abandon(number) } }
    }

    private func abandon(_ number: Int) {
        guard runningCommand?.number == number else { return }
        say("stopped waiting; what the command began may still happen", .warning)
        end(number, .later)
        abandonedCommands.insert(number)
    }
}
