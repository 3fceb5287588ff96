import CommandKit
import TerminalKit

/// Asks before something is destroyed that nobody can bring back.
enum Consent {
    static let yes = Option<Bool>(flag: "yes", letter: "y", "Do not prompt for confirmation", isCommon: true)

    /// Returns if a person agrees, or said so on the command line.
    ///
    /// - Parameter line: What to type so that nobody is asked.
    static func require(
        _ question: StyledText, _ line: String, _ invocation: Invocation, why: [String] = []
    ) throws {
        if invocation[yes] { return }
        let questions = invocation[GlobalOptions.noInput] ? .nobody : invocation.questions
        guard try questions.confirm(question) else {
            // Who was asked in a session knows what they have said.
            let tries: [Failure.Attempt] = questions.areForSecrets ? [] : [.init(line)]
            throw Reason.unconfirmed(why: why, tries: tries)
        }
    }
}
