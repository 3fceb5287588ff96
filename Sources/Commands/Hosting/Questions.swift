import SystemIO
public import TerminalKit

/// Who answers a question by yes or no.
public enum Questions: Sendable {
    /// The person at the terminal of this process.
    case terminal
    /// Nobody.
    case nobody
    /// Somebody whom a face asks; nil means that there is no answer. Called on a thread that may wait.
    case asking(@Sendable (StyledText) -> Bool?)

    /// Whether a person agrees.
    func confirm(_ question: StyledText) throws -> Bool {
        switch self {
        case .terminal:
            guard let terminal = try? ControllingTerminal() else { return false }
            return try terminal.confirm(question)
        case .nobody: return false
        case .asking(let ask): return ask(question) ?? false
        }
    }
}
