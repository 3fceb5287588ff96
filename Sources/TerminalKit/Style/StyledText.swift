/// Text for one line of a screen, in pieces that have a ``Style``.
///
/// Every piece is escaped as ``UntrustedText`` when it is made, so no control character can reach a terminal this way,
/// wherever the text comes from. Escaping twice changes nothing.
public struct StyledText: Hashable, Sendable, ExpressibleByStringLiteral {
    private var pieces: [Piece] = []

    private struct Piece: Hashable {
        let text: String
        let style: Style
        /// Known once, because a table asks for it many times.
        let width: Int

        init(_ text: String, _ style: Style) {
            (self.text, self.style) = (text, style)
            width = text.displayWidth
        }
    }

    /// No text.
    public init() {}

    public init(_ text: String, _ style: Style = .plain) {
        self.init(escaped: Escaping.singleLine(text), style)
    }

    /// A part of a text that was escaped as a whole: cut off, it could look as if it needed that again.
    init(escaped text: String, _ style: Style = .plain) {
        if !text.isEmpty { pieces = [Piece(text, style)] }
    }

    public init(stringLiteral text: String) {
        self.init(text)
    }

    public static func + (left: StyledText, right: StyledText) -> StyledText {
        var sum = left
        sum += right
        return sum
    }

    public static func += (left: inout StyledText, right: StyledText) {
        left.pieces += right.pieces
    }

    public var isEmpty: Bool { pieces.isEmpty }

    /// The text without styles.
    public var text: String {
        var text = ""
        for piece in pieces { text += piece.text }
        return text
    }

    /// How many columns it fills.
    public var width: Int { pieces.reduce(0) { $0 + $1.width } }

    /// The text with the control sequences of its styles, or without any.
    public func rendered(inColor usesColor: Bool) -> String {
        guard usesColor else { return text }
        return pieces.map { piece in
            piece.style == .plain ? piece.text : "\u{1b}[\(piece.style.rendition)m\(piece.text)\u{1b}[0m"
        }.joined()
    }

    /// The text cut to at most `width` columns, with `…` at the end if something is missing.
    public func truncated(toWidth width: Int) -> StyledText {
        guard self.width > width else { return self }
        var result = StyledText()
        var left = width
        for piece in pieces {
            // What fills the line exactly is cut as well: something follows that does not fit.
            guard piece.width >= left else {
                result.pieces.append(piece)
                left -= piece.width
                continue
            }
            result.pieces.append(Piece(piece.text.cut(toWidth: left), piece.style))
            break
        }
        return result
    }

    /// The text filled up with spaces to `width` columns.
    public func padded(toWidth width: Int, _ alignment: Alignment = .left) -> StyledText {
        let missing = width - self.width
        guard missing > 0 else { return self }
        let space = StyledText(String(repeating: " ", count: missing))
        return alignment == .left ? self + space : space + self
    }

    /// On which side the text of a column stands.
    public enum Alignment: Hashable, Sendable {
        case left, right
    }
}
