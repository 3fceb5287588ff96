/// The escaping of text for terminals and readers: invisible characters, and those that move visible ones, are spelled
/// out.
///
/// Controls become `
/// `, `\t`, `\r` or `\x1b`, others `\u{202e}`. The result contains no character to escape, so escaping twice has no
/// further effect. A backslash in the text is unchanged, because the result is for reading, not for parsing.
enum Escaping {
    /// The largest number of marks, joiners and selectors after one character. No orthography needs more, and each mark
    /// is drawn further away, finally over other lines.
    private static let maximumFollowers = 10
    /// The largest number of joiners in an emoji; the families and couples of Unicode have three.
    private static let maximumJoiners = 5
    /// The flags of England, Scotland and Wales: a black flag and invisible letters. Other sequences show a plain flag
    /// and could contain hidden text.
    private static let subdivisionFlags = ["gbeng", "gbsct", "gbwls"].map { name in
        name.unicodeScalars.compactMap { Unicode.Scalar(0xe0000 + $0.value) } + ["\u{e007f}"]
    }

    /// Returns the text on one line.
    static func singleLine(_ text: String) -> String {
        if text.isPrintableASCII { return text }
        var cursor = Cursor(text.unicodeScalars)
        return cursor.escapeAll()
    }

    /// Returns the spelling of a scalar.
    static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\t": "\\t"
        case "\r": "\\r"
        case _ where scalar.value < 0x10: "\\x0\(String(scalar.value, radix: 16))"
        case _ where scalar.value < 0x100: "\\x\(String(scalar.value, radix: 16))"
        default: "\\u{\(String(scalar.value, radix: 16))}"
        }
    }

    /// A cursor over a text with the neighbours of each scalar.
    private struct Cursor {
        private let scalars: [Unicode.Scalar]
        private var position = 0
        private var result = ""
        /// The preceding scalar, if it was kept.
        private var previous: Unicode.Scalar?
        private var followers = 0
        private var joiners = 0

        init(_ text: String.UnicodeScalarView) {
            scalars = Array(text)
        }

        mutating func escapeAll() -> String {
            while position < scalars.count {
                if !keepSubdivisionFlag() { step(scalars[position]) }
            }
            return result
        }

        private mutating func step(_ scalar: Unicode.Scalar) {
            position += 1
            guard isHarmless(scalar) else {
                result += Escaping.escape(scalar)
                previous = nil
                return
            }
            result.unicodeScalars.append(scalar)
            let isJoined = previous == .zeroWidthJoiner
            if scalar == .zeroWidthJoiner { joiners += 1 } else if !isJoined, !scalar.isAttached { joiners = 0 }
            followers = scalar.isFollower ? followers + 1 : 0
            previous = scalar
        }

        /// Keeps the flag of a part of a country, if it is next. Returns true if it was.
        private mutating func keepSubdivisionFlag() -> Bool {
            guard scalars[position] == "\u{1f3f4}" else { return false }
            let tags = scalars[(position + 1)...]
            guard let flag = Escaping.subdivisionFlags.first(where: { tags.starts(with: $0) }) else { return false }
            result.unicodeScalars.append(contentsOf: scalars[position...position + flag.count])
            position += 1 + flag.count
            (previous, followers, joiners) = ("\u{1f3f4}", 0, 0)
            return true
        }

        /// Returns true if a scalar is visible here, or invisible for a valid reason.
        private func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
            if scalar.value < 0x300 {
                return scalar.value >= 0x20 && !(0x7f..<0xa0).contains(scalar.value) && scalar.value != 0xad
            }
            // Without a preceding character a mark would change one of ours.
            if scalar.isFollower, previous == nil || followers >= Escaping.maximumFollowers { return false }
            if scalar.properties.isDefaultIgnorableCodePoint { return isNeededInvisible(scalar) }
            switch scalar.properties.generalCategory {
            case .control, .unassigned, .privateUse, .surrogate, .lineSeparator, .paragraphSeparator: return false
            case .format: return scalar.isVisibleFormat && previous?.isVisibleFormat != true
            default: return !scalar.properties.isEmojiModifier || previous?.properties.isEmojiModifier != true
            }
        }

        private func isNeededInvisible(_ scalar: Unicode.Scalar) -> Bool {
            guard let previous else { return false }
            let next = position < scalars.count ? scalars[position] : nil
            switch scalar {
            case .zeroWidthJoiner:
                let isEmoji = previous.isPictograph || previous == .emojiSelector
                if isEmoji, next?.isPictograph == true { return joiners < Escaping.maximumJoiners }
                return previous.joinsLetters(with: next)
            case .zeroWidthNonJoiner:
                return previous.joinsLetters(with: next)
            case .textSelector, .emojiSelector:
                return previous.properties.isEmoji
            case "\u{fe00}"..."\u{fe02}", "\u{e0100}"..."\u{e01ef}":
                // The variants of ideographs in names.
                return previous.properties.isIdeographic
            case "\u{180b}"..."\u{180d}", "\u{180f}":
                return (0x1820...0x18aa).contains(previous.value)
            default:
                return false
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: true
        default: false
        }
    }

    /// True if the scalar has no column of its own and belongs to the preceding character.
    fileprivate var isFollower: Bool { isMark || isJoiningJamo || properties.isDefaultIgnorableCodePoint }

    /// True if the scalar belongs to the preceding emoji.
    fileprivate var isAttached: Bool { self == .emojiSelector || properties.isEmojiModifier }

    /// Returns true if a joiner or non-joiner between two scalars shapes them, as Persian and Indic scripts require:
    /// next to a virama, or between joining letters (after RFC 5892 A.1 and A.2).
    fileprivate func joinsLetters(with next: Unicode.Scalar?) -> Bool {
        if properties.canonicalCombiningClass == .virama { return true }
        guard let next else { return false }
        // No virama belongs to a script before Devanagari.
        if next.properties.canonicalCombiningClass == .virama { return value >= 0x900 && properties.isAlphabetic }
        return isJoiningLetter && next.isJoiningLetter
    }

    /// True if the scalar is a letter, or a mark, of a joining script: Arabic, Syriac, N'Ko and others, Mongolian.
    private var isJoiningLetter: Bool {
        guard (0x600...0x8ff).contains(value) || (0x1807...0x18aa).contains(value) else { return false }
        return properties.isAlphabetic || isMark
    }
}
