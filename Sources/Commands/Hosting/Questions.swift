public import CryptoCore
import SystemIO
public import TerminalKit

/// Who answers questions.
public enum Questions: Sendable {
    /// The person at the terminal of this process.
    case terminal
    /// Nobody.
    case nobody
    /// Somebody whom a face asks; nil means that there is no answer. Called on a thread that may wait.
    case asking(@Sendable (StyledText) -> Bool?)
    /// The same, who can be asked for secrets too: by a question without a colon, after which nothing is shown.
    case asked(by: @Sendable (StyledText) -> Bool?, forSecrets: @Sendable (StyledText) -> Secret?)

    /// Whether a person agrees.
    func confirm(_ question: StyledText) throws -> Bool {
        switch self {
        case .terminal:
            guard let terminal = try? ControllingTerminal() else { return false }
            return try terminal.confirm(question)
        case .nobody: return false
        case .asking(let ask), .asked(let ask, _): return ask(question) ?? false
        }
    }
    /// Whether somebody can be asked for a secret here.
    var areForSecrets: Bool { if case .asked = self { true } else { false } }
}
