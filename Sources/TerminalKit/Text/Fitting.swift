extension String {
    /// Returns the text cut to at most `width` columns, with `…` at the end of a cut text.
    public func truncated(toWidth width: Int) -> String {
        displayWidth > width ? cut(toWidth: width).text : self
    }

    /// Returns the longest prefix that leaves a column for the `…`, with the `…`, and the width of both.
    func cut(toWidth width: Int) -> (text: String, width: Int) {
        guard width > 0 else { return ("", 0) }
        // Bytes are columns here, and are counted faster than characters.
        if isPrintableASCII {
            let head = Substring(utf8.prefix(width - 1))
            return (head + "…", head.utf8.count + 1)
        }
        var used = 0
        let head = prefix { character in
            let next = used + character.displayWidth
            guard next < width else { return false }
            used = next
            return true
        }
        return (head + "…", used + 1)
    }

    /// Wraps the text, which has no line breaks, to rows of at most `width` columns.
    ///
    /// Rows end after a space or between wide characters; a word longer than a row is broken anywhere. Spaces at the
    /// end of a row are removed. An empty text is one empty row.
    public func wrapped(toWidth width: Int) -> [String] {
        var rows = RowBreaker(width: max(width, 2))
        for character in self {
            rows.add(character)
        }
        return rows.finish()
    }
}

/// The distribution of characters over rows.
private struct RowBreaker {
    private let width: Int
    private var rows: [String] = []
    /// The row up to its last possible break, and the rest.
    private var row = "", word = ""
    private var rowWidth = 0, wordWidth = 0

    init(width: Int) {
        self.width = width
    }

    mutating func add(_ character: Character) {
        let size = character.displayWidth
        guard size <= width else {
            // A cluster of many visible characters must not exceed the row, so it is split.
            for scalar in character.unicodeScalars { add(Character(scalar), scalar.displayWidth) }
            return
        }
        add(character, size)
    }

    private mutating func add(_ character: Character, _ size: Int) {
        if character == " " {
            endWord()
            // A space that does not fit is the break itself.
            if rowWidth + size > width { endRow() } else { append(character, size) }
            endWord()
            return
        }
        // Wide characters may be separated from the preceding text.
        if size == 2 { endWord() }
        if rowWidth + wordWidth + size > width {
            if rowWidth > 0 { endRow() }
            if wordWidth + size > width {
                endWord()
                endRow()
            }
        }
        append(character, size)
        if size == 2 { endWord() }
    }

    private mutating func append(_ character: Character, _ size: Int) {
        word.append(character)
        wordWidth += size
    }

    private mutating func endWord() {
        row += word
        rowWidth += wordWidth
        (word, wordWidth) = ("", 0)
    }

    private mutating func endRow() {
        rows.append(row.withoutTrailingSpaces)
        (row, rowWidth) = ("", 0)
    }

    mutating func finish() -> [String] {
        endWord()
        if rowWidth > 0 || !row.isEmpty || rows.isEmpty { endRow() }
        return rows
    }
}

extension String {
    fileprivate var withoutTrailingSpaces: String {
        guard let last = lastIndex(where: { $0 != " " }) else { return "" }
        return String(self[...last])
    }
}
