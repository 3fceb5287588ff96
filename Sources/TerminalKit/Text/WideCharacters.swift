/// Characters that fill two columns besides emoji.
///
/// From EastAsianWidth.txt of Unicode 17: the values W and F without what has Emoji_Presentation, which the standard
/// library knows. Gaps of unassigned code points and of marks are bridged.
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
