/// The words of a line, as a shell would cut it: spaces part them, quotes and backslashes keep them together.
///
/// Nothing is expanded, and nothing but a space is special outside of quotes: a text with a semicolon is a text.
struct CommandWords: Hashable, Sendable {
    /// One word, and where it stands in the line, in bytes of UTF-8.
    struct Word: Hashable, Sendable {
        var text = ""
        let start: Int
        var end: Int
    }

    private(set) var words: [Word] = []
    /// The quote that was opened and not closed.
    private(set) var openQuote: Character?

    init(_ line: String) {
        var current: Word?, quote: Character?, isEscaped = false, place = 0
        for character in line {
            let start = place
            place += character.utf8.count
            if quote == nil, !isEscaped, character == " " || character == "\n" || character == "\t" {
                if let word = current { words.append(word) }
                current = nil
                continue
            }
            var word = current ?? Word(start: start, end: place)
            word.end = place
            if isEscaped {
                // A slash inside of a name is written so in a path, which is read elsewhere.
                if character == "/" { word.text.append("\\") }
                word.text.append(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"", word.text.isEmpty {
                // An apostrophe inside of a word is one.
                quote = character
            } else {
                word.text.append(character)
            }
            current = word
        }
        if let word = current { words.append(word) }
        openQuote = quote
    }

    var texts: [String] { words.map(\.text) }

    /// What stands behind a number of words, as it was typed.
    static func rest(of line: String, after count: Int) -> String {
        let words = CommandWords(line).words
        guard count > 0, count <= words.count else { return count == 0 ? line : "" }
        let rest = Array(line.utf8).dropFirst(words[count - 1].end)
        return String(decoding: rest.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
    }

    /// A word as it has to be typed.
    static func quoted(_ word: String) -> String {
        let isPlain = !word.isEmpty && !word.contains { " \t\n\\'\"".contains($0) }
        if isPlain { return word }
        return "\""
            + word.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
            .split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"") + "\""
    }
}
