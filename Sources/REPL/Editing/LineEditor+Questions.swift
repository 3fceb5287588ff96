import CryptoCore
import TerminalKit

/// Questions in place of the line.
extension LineEditor {
    /// Asks something in place of the line, which comes back afterwards. Nil is no answer: Ctrl-C or Ctrl-D.
    func ask(_ text: StyledText, _ onAnswer: @escaping (String?) -> Void) {
        answer(nil)
        question = Question(text: text, former: (Readline.text, Readline.cursor), onAnswer: onAnswer)
        clear()
    }

    var isAsking: Bool { question != nil }

    /// Ends a question that is open.
    func answer(_ answer: String?) {
        guard let question else { return }
        self.question = nil
        Readline.startLine()
        replace(question.former.text, cursor: question.former.cursor)
        question.onAnswer(answer)
    }

    /// Asks for a secret in place of everything else. What is typed is not shown, and goes past readline.
    ///
    /// - Parameter isRefusable: Whether Ctrl-C or Ctrl-D is an answer too: nil. It is asked for until ``endSecret()``
    ///   otherwise, also behind an answer.
    func askSecret(_ text: StyledText, isRefusable: Bool, _ onAnswer: @escaping (Secret?) -> Void) {
        answer(nil)
        refuseSecret()
        secret = SecretLine(text, isRefusable: isRefusable, onAnswer)
        redraw()
    }

    /// Ends the question for a secret that may stay without an answer.
    func refuseSecret() {
        guard let secret, secret.isRefusable else { return }
        endSecret()
        secret.onAnswer(nil)
    }

    /// Goes back to the line.
    func endSecret() {
        secret = nil
        redraw()
    }
}
