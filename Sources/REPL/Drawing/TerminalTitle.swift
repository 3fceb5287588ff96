import TerminalKit

/// The title of a terminal's window.
///
/// SECURITY: a title is part of a control sequence. Names of contacts in it are escaped, and no control character is left that could
/// end the sequence and begin another one.
enum TerminalTitle {
    /// More than windows show, in columns.
    private static let longest = 64

    /// `tacit (2) alice:/bob`
    ///
    /// - Parameter place: Where the session is; empty if that is hidden.
    static func text(place: String, unread: Int) -> String {
        let words = ["tacit", unread > 0 ? "(\(unread))" : "", place].filter { !$0.isEmpty }.joined(separator: " ")
        let line = UntrustedText(words).singleLine.truncated(toWidth: longest)
        return String(String.UnicodeScalarView(line.unicodeScalars.filter { !isControl($0) }))
    }

    /// Whether terminals of a kind (`TERM`) have windows with titles, as far as one can tell.
    static func isKnown(to term: String) -> Bool {
        !["", "dumb", "linux", "cons", "vt", "ansi", "sun"].contains { $0.isEmpty ? term.isEmpty : term.hasPrefix($0) }
    }

    /// Keeps the title that the window has (xterm, XTWINOPS 22 and 23).
    static let keeping = "\u{1b}[22;2t"
    static let restoring = "\u{1b}[23;2t"

    /// Sets the title (xterm, OSC 2).
    static func setting(_ title: String) -> String { "\u{1b}]2;\(title)\u{1b}\\" }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .control }
}
