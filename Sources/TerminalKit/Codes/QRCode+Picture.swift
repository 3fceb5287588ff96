extension QRCode {
    /// The light modules around the code, without which many readers do not find it. ISO/IEC 18004 6.3.8
    private static let quietZone = 4

    /// The columns that the picture fills.
    public var width: Int { size + 2 * QRCode.quietZone }

    /// The picture: two rows of modules in each line, a half of a character for each module.
    ///
    /// Where a stream has colours the dark modules are black and the light ones white, whatever the theme of the terminal
    /// says: both are of the part of the palette of 256 colours that no theme changes. Elsewhere light modules are drawn in the
    /// colour of the text and dark ones not at all, which is right for light text on a dark ground. Most readers take the
    /// opposite too.
    public func lines(inColor usesColor: Bool) -> [String] {
        let edge = QRCode.quietZone
        return stride(from: -edge, to: size + edge, by: 2).map { row in
            let halves = (-edge..<size + edge).map { column in
                let upper = isDark(row: row, column: column), lower = isDark(row: row + 1, column: column)
                return usesColor ? QRCode.character(upper, lower) : QRCode.character(!upper, !lower)
            }
            return usesColor ? "\u{1b}[38;5;16;48;5;231m\(String(halves))\u{1b}[0m" : String(halves)
        }
    }

    /// A character of which one half, both or none are drawn.
    private static func character(_ upper: Bool, _ lower: Bool) -> Character {
        switch (upper, lower) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}

extension Output {
    /// Writes the picture of a code.
    public func write(_ code: QRCode) throws(OutputError) {
        for line in code.lines(inColor: traits.usesColor) { try write(verbatim: line + "\n") }
        if traits.isTerminal { try flush() }
    }
}
