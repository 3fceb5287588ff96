public import SystemIO

/// Why a question got no answer.
public enum PromptError: Error, Hashable, Sendable {
    /// There is no terminal, or nobody may be asked.
    case noTerminal
    /// The person ended the input (Ctrl-D), or the terminal has gone.
    case ended
    /// A signal arrived. It takes its usual course when this error is thrown.
    case interrupted
    /// No answer came in time.
    case timedOut
    /// The answer was neither yes nor no three times, or was too long for the line of a terminal (4094 bytes).
    case unusable
    case system(SystemError)
}
