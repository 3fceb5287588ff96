public import ByteCoding

/// Text from another user or a server: a message, a name, a file name, an error.
///
/// All output of it is escaped. It must not be split before: a character may be harmless or not, depending on its
/// neighbours.
public struct UntrustedText: Hashable, Sendable, CustomStringConvertible {
    private let text: String

    /// The largest width of a name in a sentence, in columns.
    private static let quotedWidth = 48
    /// The margin before each row of a body.
    private static let margin = "│ "
    private static let tabWidth = 8

    /// Creates a untrusted text from its parts.
    public init(_ text: String) {
        self.text = text
    }

    /// Creates a text from UTF-8; invalid bytes become `U+FFFD`.
    public init(bytes: Bytes) {
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// The text on one line: line breaks and invisible characters are spelled out.
    public var singleLine: String { Escaping.singleLine(text) }

    /// The text on one line, escaped.
    public var description: String { singleLine }

    /// The text as a name in a sentence: on one line, in quotes, shortened.
    public var quoted: String {
        let parts = singleLine.split(separator: "'", omittingEmptySubsequences: false)
        return "'\(parts.joined(separator: "\\'").truncated(toWidth: UntrustedText.quotedWidth))'"
    }

    /// Returns the text as the body of a message, each row with a margin, so that no part of it looks like another
    /// message.
    ///
    /// Line breaks (LF or CRLF) start a row and tabs become spaces. Rows are wrapped to `width` columns; without a
    /// width only line breaks start rows.
    public func body(width: Int?) -> [StyledText] {
        let margin = StyledText(UntrustedText.margin, .muted)
        let rowWidth = width.map { max($0 - margin.width, 8) }
        return lines.flatMap { line in
            let row = UntrustedText.expanded(line)
            let rows = rowWidth.map { row.wrapped(toWidth: $0) } ?? [row]
            return rows.map { $0.isEmpty ? StyledText("│", .muted) : margin + StyledText(escaped: $0) }
        }
    }

    /// The lines of a body without a margin, for displays with another separation of messages. Tabs become spaces.
    public var escapedLines: [String] { lines.map(UntrustedText.expanded) }

    /// The lines without their line breaks.
    private var lines: [String] {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.last == "\r" ? line.dropLast() : line)
        }
    }

    /// Returns an escaped line with tabs expanded to multiples of eight columns.
    private static func expanded(_ line: String) -> String {
        var result = "", width = 0
        for (index, part) in line.split(separator: "\t", omittingEmptySubsequences: false).enumerated() {
            if index > 0 {
                let gap = tabWidth - width % tabWidth
                result += String(repeating: " ", count: gap)
                width += gap
            }
            let piece = Escaping.singleLine(String(part))
            result += piece
            width += piece.displayWidth
        }
        return result
    }
}
