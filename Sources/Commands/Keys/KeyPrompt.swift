import ChatCore
import CryptoCore
import TerminalKit

/// Asks the person at the terminal for a passphrase.
struct KeyPrompt: ~Copyable {
    private let terminal: ControllingTerminal

    /// Nil if there is nobody to ask, or nobody may be asked.
    init?(_ invocation: Invocation) {
        guard let terminal = try? ControllingTerminal(allowsQuestions: !invocation[GlobalOptions.noInput])
        else { return nil }
        self.terminal = terminal
    }

    /// Whether there is somebody to ask.
    static func isPossible(_ invocation: Invocation) -> Bool {
        guard let prompt = KeyPrompt(invocation) else { return false }
        _ = consume prompt
        return true
    }

    /// The passphrase of a store; nil for an empty answer.
    func passphrase(_ question: String) throws -> GivenKey? {
        let typed = try terminal.secret(StyledText(question)) { Secret(copying: $0) }
        return GivenKey(typed, isTyped: true)
    }

    /// A new passphrase, typed twice.
    func newPassphrase() throws -> GivenKey {
        guard let first = try passphrase("New passphrase") else {
            throw Reason.emptyPassphrase
        }
        guard let second = try passphrase("Repeat the passphrase"), second.isEqual(to: first) else {
            throw Reason.passphrasesDiffer
        }
        return first
    }
}
