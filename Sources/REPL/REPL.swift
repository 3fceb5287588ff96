import ChatCore
public import Commands
import Navigation
import SystemIO
public import TerminalKit

/// The interactive session.
public enum REPL {
    /// Opens a session, on a terminal for a person and otherwise for the lines of standard input.
    public static func run(_ start: SessionStart) throws -> ExitCode {
        guard Terminal(descriptor: 0).isTerminal, Terminal(descriptor: 1).isTerminal else {
            return try PipedLines.run(start)
        }
        var start = start
        if start.allowsQuestions, try !MigrationSheet.run(start) { return .ok }
        if try !start.hasStore, start.allowsQuestions {
            guard let made = try Welcome.run(start) else { return .ok }
            start = made
        }
        ExternalEditor.removeLeftovers(start.environment)
        Readline.prepare()
        let ending = SessionEnding()
        let code = try start.open { [start] store in
            let session = Session(store, environment: start.environment, usesColor: start.output.traits.usesColor)
            switch try await session.run(ending.beginning(start, store)) {
            case .erased(let record):
                ending.isErased = true
                ending.resumption = nil
                return .erasure([.gate: record.encoded])
            case .holderEnded(let resumption):
                ending.resumption = resumption
                return .holderEnded
            case .reopening(let resumption):
                ending.resumption = resumption
                return .reopening
            case .storeGone: throw store.ending(StoreIsGone())
            case .failed(let error): throw store.ending(error)
            case .stopped:
                try? start.errors.write(line: "tacit: another command has ended the session")
                try? start.errors.flush()
                return .ended(.ok)
            case .left:
                ending.signal = await session.endingSignal()
                return .ended(.ok)
            }
        }
        // The shell should see how it ended, as with any other program.
        if let number = ending.signal { ProcessEnding.signal(number) }
        return code
    }
}
