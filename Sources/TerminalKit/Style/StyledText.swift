import ByteCoding

/// Text for one line of a screen, in pieces with a ``Style``.
///
/// Every piece is escaped as ``UntrustedText`` on creation, so that no control character can reach a terminal from any
/// source. Escaping twice has no further effect.
public struct StyledText: Hashable, Sendable, ExpressibleByStringLiteral {
    private var pieces: [Piece] = []

    private struct Piece: Hashable {
        let text: String
        let style: Style
        /// Computed once, because a table reads the width often.
        let width: Int

        init(_ text: String, _ style: Style, width: Int) {
            (self.text, self.style, self.width) = (text, style, width)
        }

        init(_ text: String, _ style: Style) {
            self.init(text, style, width: text.displayWidth)
        }

        /// The text with the control sequences of its style.
        var colored: String { style == .plain ? text : "\u{1b}[\(style.rendition)m\(text)\u{1b}[0m" }
    }

    /// Creates an empty text.
    public init() {}

    /// Creates a text of one style.
    public init(_ text: String, _ style: Style = .plain) {
        self.init(escaped: Escaping.singleLine(text), style)
    }

    /// Creates a part of an escaped text: escaping a part again could change it.
    init(escaped text: String, _ style: Style = .plain) {
        if !text.isEmpty { pieces = [Piece(text, style)] }
    }

    /// Creates a plain text from a literal.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// Joins two texts.
    public static func + (left: StyledText, right: StyledText) -> StyledText {
        var sum = left
        sum += right
        return sum
    }

    /// Appends a text.
    public static func += (left: inout StyledText, right: StyledText) {
        left.pieces += right.pieces
    }

    /// True if there is no text.
    public var isEmpty: Bool { pieces.isEmpty }

    /// The text without styles.
    public var text: String {
        var text = ""
        for piece in pieces { text += piece.text }
        return text
    }

    /// The width in columns.
    public var width: Int { pieces.reduce(0) { $0 + $1.width } }

    /// Returns the text with or without the control sequences of its styles.
    public func rendered(inColor usesColor: Bool) -> String {
        guard usesColor else { return text }
        return pieces.map(\.colored).joined()
    }

    /// Appends what ``rendered(inColor:)`` returns, as UTF-8.
    func append(to bytes: inout Bytes, inColor usesColor: Bool) {
        for piece in pieces { bytes.append(contentsOf: (usesColor ? piece.colored : piece.text).utf8) }
    }

    /// Returns the text cut to at most `width` columns, with `…` at the end of a cut text.
    public func truncated(toWidth width: Int) -> StyledText {
        guard self.width > width else { return self }
        var result = StyledText()
        var left = width
        for piece in pieces {
            // A text that fills the line exactly is cut too, if more text follows.
            guard piece.width >= left else {
                result.pieces.append(piece)
                left -= piece.width
                continue
            }
            let cut = piece.text.cut(toWidth: left)
            result.pieces.append(Piece(cut.text, piece.style, width: cut.width))
            break
        }
        return result
    }

    /// Returns the text padded with spaces to `width` columns.
    public func padded(toWidth width: Int, _ alignment: Alignment = .left) -> StyledText {
        let missing = width - self.width
        guard missing > 0 else { return self }
        let space = StyledText(escaped: String(repeating: " ", count: missing))
        return alignment == .left ? self + space : space + self
    }

    /// The alignment of the text in a column.
    public enum Alignment: Hashable, Sendable {
        /// To the left, or to the right.
        case left, right
    }
}
