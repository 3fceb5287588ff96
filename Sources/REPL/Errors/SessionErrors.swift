import TerminalKit

/// The errors that a session itself gives, one declaration each; those of the commands in it stand in `Commands/Errors`.
extension Failure {
    /// A session was to start in a profile that is hidden.
    static let hiddenProfile = Failure("profile.hidden", .unavailable, "a session cannot show a hidden profile")

    static func openQuote(in text: String) -> Failure {
        Failure("usage.quote", .usage, "a quote is not closed in \(UntrustedText(text).quoted)")
    }

    /// A line of commands from a pipe.
    static let lineTooLong = Failure("usage.line", .usage, "a command line is too long")
}
