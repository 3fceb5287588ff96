import TerminalKit

/// Text of others as a part of a page.
///
/// SECURITY: nothing of it is ever markup: the five characters that could be are replaced, in contents and in attributes.
/// What is invisible or would reverse what follows is spelled out before, as on a terminal.
enum HTMLText {
    /// The text on one line.
    static func line(_ text: String) -> String {
        escaped(UntrustedText(text).singleLine)
    }

    /// The text with its line breaks.
    static func body(_ text: String) -> String {
        UntrustedText(text).escapedLines.map(escaped).joined(separator: "<br>\n")
    }

    /// The text with the five characters replaced.
    static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
