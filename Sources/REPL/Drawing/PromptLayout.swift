import TerminalKit

/// Where the prompt and the line behind it stand on a screen, row by row.
///
/// The last column stays empty: terminals do not agree about where the cursor is when a row is full.
struct PromptLayout: Hashable, Sendable {
    let rows: [StyledText]
    let cursorRow: Int
    let cursorColumn: Int

    /// How many columns at least are left for the line beside the prompt.
    static let leastRoom = 8

    /// - Parameters:
    ///   - banner: A row above the prompt, which stays there whatever is typed; none if it is empty.
    ///   - cursor: The place in the text, in bytes of UTF-8.
    ///   - height: How many rows may be used: what is above and below is left out then.
    init(banner: StyledText = "", prompt: StyledText, text: String, cursor: Int, width: Int, height: Int) {
        let limit = max(width - 1, 2)
        let prompt = prompt.truncated(toWidth: max(limit - PromptLayout.leastRoom, limit / 2))
        var flow = Flow(limit: limit, indent: prompt.width)
        var place = 0, found: (row: Int, column: Int)?
        for character in text {
            let size = character.utf8.count
            // A place inside of a character is shown before it.
            if found == nil, place + size > cursor { found = flow.place(before: character) }
            flow.add(character)
            place += size
        }
        let (row, column) = found ?? flow.end
        let all = flow.rows.enumerated().map { index, row in index == 0 ? prompt + StyledText(row) : StyledText(row) }
        let top = banner.isEmpty || height < 2 ? [] : [banner.truncated(toWidth: limit)]
        let room = max(height - top.count, 1)
        let first = all.count <= room ? 0 : min(max(0, row - room / 2), all.count - room)
        rows = top + all[first..<min(first + room, all.count)]
        cursorRow = row - first + top.count
        cursorColumn = column
    }

    /// The same on one row, for terminals whose cursor cannot go up: what does not fit is left out on the left.
    init(prompt: StyledText, oneRowOf text: String, cursor: Int, width: Int) {
        let limit = max(width - 1, 2)
        let prompt = prompt.truncated(toWidth: max(limit - PromptLayout.leastRoom, limit / 2))
        let room = limit - prompt.width
        let head = StyledText(String(decoding: Array(text.utf8).prefix(max(cursor, 0)), as: UTF8.self)).text
        let tail = StyledText(String(decoding: Array(text.utf8).dropFirst(max(cursor, 0)), as: UTF8.self)).text
        var shown = Substring(head)
        if head.displayWidth > room {
            while shown.reduce(1, { $0 + String($1).displayWidth }) > room, !shown.isEmpty { shown.removeFirst() }
            shown = "<" + shown
        }
        let column = String(shown).displayWidth
        var rest = ""
        for character in tail {
            guard column + (rest + String(character)).displayWidth <= room else { break }
            rest.append(character)
        }
        rows = [prompt + StyledText(String(shown)) + StyledText(rest)]
        cursorRow = 0
        cursorColumn = prompt.width + column
    }

    /// What has to be written behind `former` to get here, if that is all: somebody types at the end.
    func addition(to former: PromptLayout) -> String? {
        guard rows.count == former.rows.count, let last = rows.last, let before = former.rows.last,
            rows.dropLast() == former.rows.dropLast(), isAtEnd, former.isAtEnd, last.text.hasPrefix(before.text)
        else { return nil }
        // The prompt, which has colours, is the same if what is shown before the text is.
        return String(last.text.dropFirst(before.text.count))
    }

    private var isAtEnd: Bool {
        cursorRow == rows.count - 1 && cursorColumn == rows.last?.width
    }
}

/// Distributes the characters of a line over rows.
private struct Flow {
    private let limit: Int
    private(set) var rows = [""]
    private var column: Int

    init(limit: Int, indent: Int) {
        self.limit = limit
        column = indent
    }

    var end: (row: Int, column: Int) { (rows.count - 1, column) }

    func place(before character: Character) -> (row: Int, column: Int) {
        guard character != "\n", column + shown(character).displayWidth > limit else { return end }
        return (rows.count, 0)
    }

    mutating func add(_ character: Character) {
        if character == "\n" { return startRow() }
        let text = shown(character), width = text.displayWidth
        if column + width > limit { startRow() }
        rows[rows.count - 1] += text
        column += width
    }

    private mutating func startRow() {
        rows.append("")
        column = 0
    }

    private func shown(_ character: Character) -> String {
        if let ascii = character.asciiValue, (0x20..<0x7f).contains(ascii) { return String(character) }
        if character == "\t" { return String(repeating: " ", count: 8 - column % 8) }
        return StyledText(String(character)).text
    }
}
