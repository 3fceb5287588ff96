extension String {
    /// The width of the text in terminal columns. Control characters count as zero: escape them first.
    public var displayWidth: Int {
        if isPrintableASCII { return utf8.count }
        return reduce(0) { $0 + $1.displayWidth }
    }

    /// True if all characters are printable ASCII, one column each. Called for all output, so it reads bytes instead of
    /// characters.
    var isPrintableASCII: Bool {
        let bytes = utf8Span.span
        for index in bytes.indices where bytes[index] &- 0x20 >= 0x5f { return false }
        return true
    }
}

extension Character {
    /// The width of a grapheme cluster in columns.
    ///
    /// Terminals disagree about clusters of several visible characters. This is the sum of a terminal without cluster
    /// support, except for emoji, which are drawn as one if at all. A line may thus be shorter than computed, but never
    /// longer.
    var displayWidth: Int {
        if let value = asciiValue { return value &- 0x20 < 0x5f ? 1 : 0 }
        var width = 0
        // The scalar that selectors and modifiers change, and whether it is part of the preceding emoji.
        var base: Unicode.Scalar?, isJoined = false
        var previous: Unicode.Scalar?
        for scalar in unicodeScalars {
            defer { previous = scalar }
            if scalar == .emojiSelector {
                if let base, base == previous, !isJoined, base.properties.isEmoji, base.displayWidth == 1 { width += 1 }
            } else if scalar.properties.isEmojiModifier, base?.properties.isEmojiModifierBase == true {
                base = nil
            } else if scalar.isRegionalIndicator, base?.isRegionalIndicator == true {
                base = nil
            } else if scalar.displayWidth > 0 {
                isJoined = previous == .zeroWidthJoiner && scalar.isPictograph
                if !isJoined { width += scalar.displayWidth }
                base = scalar
            }
        }
        return width
    }
}

extension Unicode.Scalar {
    static let zeroWidthNonJoiner: Unicode.Scalar = "\u{200c}"
    static let zeroWidthJoiner: Unicode.Scalar = "\u{200d}"
    static let textSelector: Unicode.Scalar = "\u{fe0e}"
    static let emojiSelector: Unicode.Scalar = "\u{fe0f}"

    /// True if the scalar forms a flag in a pair.
    var isRegionalIndicator: Bool { (0x1f1e6...0x1f1ff).contains(value) }

    /// True if the scalar is an emoji that can be part of a joined one; digits have the property too, but are excluded.
    var isPictograph: Bool { value > 0xff && properties.isEmoji }

    /// True if the scalar is a vowel or final consonant that joins a Korean syllable block.
    var isJoiningJamo: Bool { (0x1160...0x11ff).contains(value) || (0xd7b0...0xd7ff).contains(value) }

    /// The width of the scalar alone in columns.
    var displayWidth: Int {
        if value < 0x7f { return value < 0x20 ? 0 : 1 }
        if value < 0x300 { return value < 0xa0 || value == 0xad ? 0 : 1 }
        switch properties.generalCategory {
        case .control, .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator: return 0
        case .format: return isVisibleFormat ? 1 : 0
        default: break
        }
        if isJoiningJamo { return 0 }
        // Default emoji are wide by UAX #11; regional indicators are drawn wide, although they are not.
        if properties.isEmojiPresentation || WideCharacters.contains(value) { return 2 }
        return properties.isDefaultIgnorableCodePoint ? 0 : 1
    }

    /// True if the scalar is a format character that is drawn: number signs and similar before digits
    /// (Prepended_Concatenation_Mark).
    var isVisibleFormat: Bool {
        switch value {
        case 0x600...0x605, 0x6dd, 0x70f, 0x890, 0x891, 0x8e2, 0x110bd, 0x110cd: true
        default: false
        }
    }
}

/// The characters of two columns besides emoji.
///
/// From EastAsianWidth.txt of Unicode 17: the values W and F without Emoji_Presentation, which the standard library
/// has. Gaps of unassigned code points and of combining marks are bridged.
enum WideCharacters {
    private static let ranges: [(first: UInt32, last: UInt32)] = [
        (0x1100, 0x115f),  // Korean initial consonants
        (0x2329, 0x232a),  // angle brackets
        (0x2630, 0x2637), (0x268a, 0x268f),  // trigrams and digrams
        (0x2e80, 0x303e), (0x3041, 0x3247),  // radicals, kana, bopomofo, symbols of the region
        (0x3250, 0xa4c6),  // ideographs, hexagrams, Yi
        (0xa960, 0xa97c), (0xac00, 0xd7a3),  // Korean
        (0xf900, 0xfaff), (0xfe10, 0xfe19), (0xfe30, 0xfe6b),  // compatibility and vertical forms
        (0xff01, 0xff60), (0xffe0, 0xffe6),  // fullwidth forms
        (0x16fe0, 0x18df2), (0x1aff0, 0x1b2fb),  // Tangut, Khitan, Nushu, more kana
        (0x1d300, 0x1d376),  // Tai Xuan Jing symbols, counting rods
        (0x1f200, 0x1f265),  // enclosed ideographs
        (0x20000, 0x2fffd), (0x30000, 0x3fffd),  // the planes of ideographs
    ]

    static func contains(_ value: UInt32) -> Bool {
        guard value >= 0x1100 else { return false }
        var low = 0, high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].last < value { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].first <= value
    }
}
