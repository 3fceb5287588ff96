public import ByteCoding

/// Text that somebody else wrote: a message, a name, a file name, a sentence of a server.
///
/// It has no way out but an escaped one, and must not be taken apart before: whether a character is harmless depends on
/// its neighbours.
public struct UntrustedText: Hashable, Sendable, CustomStringConvertible {
    private let text: String

    /// How many columns of a name are shown in a sentence.
    private static let quotedWidth = 48
    /// What stands before each row of a body.
    private static let margin = "│ "
    private static let tabWidth = 8

    public init(_ text: String) {
        self.text = text
    }

    /// Text in UTF-8; what is not UTF-8 is replaced by `U+FFFD`.
    public init(bytes: Bytes) {
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// The text on one line: line breaks and everything invisible are spelled out.
    public var singleLine: String { Escaping.singleLine(text) }

    public var description: String { singleLine }

    /// A name inside of a sentence: on one line, in quotes, not too long.
    public var quoted: String {
        let parts = singleLine.split(separator: "'", omittingEmptySubsequences: false)
        return "'\(parts.joined(separator: "\\'").truncated(toWidth: UntrustedText.quotedWidth))'"
    }

    /// The text as the body of a message, each row behind a margin, so that no part of it looks like another message.
    ///
    /// Line breaks (LF or CRLF) start a row and tabs become spaces. Rows fit into `width` columns; without a width only
    /// line breaks start rows.
    public func body(width: Int?) -> [StyledText] {
        let margin = StyledText(UntrustedText.margin, .muted)
        let rowWidth = width.map { max($0 - margin.width, 8) }
        return lines.flatMap { line in
            let row = UntrustedText.expanded(line)
            let rows = rowWidth.map { row.wrapped(toWidth: $0) } ?? [row]
            return rows.map { $0.isEmpty ? StyledText("│", .muted) : margin + StyledText(escaped: $0) }
        }
    }

    /// The lines of a body without a margin, for places that show in another way where a message ends. Tabs become spaces.
    public var escapedLines: [String] { lines.map(UntrustedText.expanded) }

    /// The lines without their line breaks.
    private var lines: [String] {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.last == "\r" ? line.dropLast() : line)
        }
    }

    /// An escaped line whose tabs are spaces up to the next multiple of eight columns.
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
