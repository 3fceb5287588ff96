extension String {
    /// The text cut to at most `width` columns, with `…` at the end if something is missing.
    public func truncated(toWidth width: Int) -> String {
        displayWidth > width ? cut(toWidth: width) : self
    }

    /// As much of the text as leaves a column for the `…` behind it.
    func cut(toWidth width: Int) -> String {
        guard width > 0 else { return "" }
        var left = width - 1
        let head = prefix { character in
            left -= character.displayWidth
            return left >= 0
        }
        return head + "…"
    }

    /// The text, which has no line breaks, in rows of at most `width` columns.
    ///
    /// Rows end after a space or between wide characters; a word that is longer than a row is broken anywhere. Spaces
    /// at the end of a row are left out. An empty text is one empty row.
    public func wrapped(toWidth width: Int) -> [String] {
        var rows = RowBreaker(width: max(width, 2))
        for character in self {
            rows.add(character)
        }
        return rows.finish()
    }
}

/// Distributes characters over rows.
private struct RowBreaker {
    private let width: Int
    private var rows: [String] = []
    /// The row up to the last place where it may be broken, and what follows.
    private var row = "", word = ""
    private var rowWidth = 0, wordWidth = 0

    init(width: Int) {
        self.width = width
    }

    mutating func add(_ character: Character) {
        let size = character.displayWidth
        guard size <= width else {
            // A cluster of many visible characters must not pass the edge, so it is taken apart.
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
        // Wide characters may be parted from what stands before them.
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
