import CryptoCore
import TerminalKit

/// The terminal of a session: a line that a person edits, text above it, and questions in its place.
protocol SessionTerminal: AnyObject {
    /// In columns and rows.
    var width: Int { get }
    var height: Int { get }
    var usesColor: Bool { get }
    /// True if the cursor can only go forwards and to the beginning of its row.
    var isDumb: Bool { get }
    /// The time of the last key.
    var lastKey: ContinuousClock.Instant { get }
    /// True if the session has a page of its own, of which nothing stays behind.
    var usesOwnPage: Bool { get set }

    // MARK: Around the line

    var prompt: StyledText { get set }
    /// Stands above the prompt.
    var banner: StyledText { get set }
    /// The title of the window; nil for the one that it had before.
    var title: String? { get set }
    /// Rings the bell.
    func ring()

    // MARK: The line

    var text: String { get }
    /// The position of the next character, in bytes of UTF-8.
    var cursor: Int { get }
    func replace(_ text: String, cursor: Int?)
    /// Replaces the bytes in a range of the line.
    func replace(_ range: Range<Int>, with text: String)
    func clear()
    /// Adds a line to the history.
    func remember(_ line: String)
    func clearHistory()

    // MARK: Questions

    var isAsking: Bool { get }
    var isAskingSecret: Bool { get }
    /// Asks a question in place of the line, which comes back afterwards. Nil is no answer.
    func ask(_ text: StyledText, _ onAnswer: @escaping (String?) -> Void)
    /// Ends an open question.
    func answer(_ answer: String?)
    /// Asks for a secret in place of everything else.
    ///
    /// - Parameter isRefusable: True if Ctrl-C and Ctrl-D are an answer too: nil. Otherwise it is asked for until ``endSecret()``.
    func askSecret(_ text: StyledText, isRefusable: Bool, _ onAnswer: @escaping (Secret?) -> Void)
    func endSecret()

    // MARK: Above the line

    func print(_ lines: [StyledText])
    /// Prints whole lines that are made for this terminal.
    func print(verbatim text: String)
    /// Prints a list, which can be replaced as long as nothing is printed below it.
    func print(list lines: [StyledText])
    var hasList: Bool { get }
    func replace(list lines: [StyledText])
    func clearScreen()
}

extension SessionTerminal {
    func replace(_ text: String) { replace(text, cursor: nil) }

    func askSecret(_ text: StyledText, _ onAnswer: @escaping (Secret?) -> Void) {
        askSecret(text, isRefusable: false, onAnswer)
    }
}

extension LineEditor: SessionTerminal {
    var width: Int { canvas.columns }
    var height: Int { canvas.height }
    var usesColor: Bool { canvas.usesColor }
    var isDumb: Bool { canvas.isDumb }
    var isAskingSecret: Bool { secret != nil }

    var title: String? {
        get { canvas.title }
        set { canvas.title = newValue }
    }

    func ring() { canvas.ring() }
    func remember(_ line: String) { Readline.remember(line) }
    func clearHistory() { Readline.clearHistory() }
}
