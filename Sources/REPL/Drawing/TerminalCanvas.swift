import SystemIO
import TerminalKit

/// The screen of the session: lines that go up, and below them the prompt with the line that is being typed.
///
/// It remembers what it drew below the last line, so that it can be taken away before something is printed and drawn again
/// after it. All that comes together goes out together.
final class TerminalCanvas {
    private let output: Output
    /// True if the cursor can only go forwards and to the beginning of its row.
    let isDumb: Bool
    /// True if the window has a title.
    private let hasTitle: Bool
    private let measure: () -> (columns: Int, rows: Int)
    private(set) var columns = 80
    private(set) var height = 24
    private var shown: PromptLayout?
    /// The number of rows above the prompt that the next drawing replaces.
    var rowsToReplace = 0
    /// Stands above the prompt, where the cursor can go up.
    var banner: StyledText = ""
    private(set) var isOnOwnPage = false
    /// The title of the window, as long as the terminal is the session's; nil for the one that it had before.
    var title: String? {
        didSet { if title != oldValue, isOwn { showTitle() } }
    }
    /// True if the terminal is the session's.
    private var isOwn = false
    /// True if the terminal keeps the title that the window had before.
    private var keepsTitle = false
    /// True if the terminal is gone.
    private(set) var isBroken = false

    init(
        output: Output, isDumb: Bool, hasTitle: Bool = false, measure: @escaping () -> (columns: Int, rows: Int)
    ) {
        self.output = output
        self.isDumb = isDumb
        self.hasTitle = hasTitle
        self.measure = measure
        resize()
    }

    var usesColor: Bool { output.traits.usesColor }

    /// True for a terminal that understands at least what xterm does, as far as one can tell.
    var isKnown: Bool { hasTitle && !isDumb }

    /// Sends a question to the terminal, which shows nothing.
    func send(_ question: String) { write(question) }

    /// Turns marks around pasted text on or off.
    func markPastes(_ isOn: Bool) {
        guard !isDumb else { return }
        write(isOn ? "\u{1b}[?2004h" : "\u{1b}[?2004l")
    }

    /// Reads the size of the screen.
    ///
    /// Terminals break rows that have become too long in two, or cut them off. It is unknown which, so no row above the first
    /// one of the prompt is touched, though rests of the prompt may stay.
    func resize() {
        let size = measure()
        (columns, height) = (max(size.columns, 4), max(size.rows, 2))
    }

    // MARK: - Drawing

    /// Shows the prompt and the line in place of those that are shown, and whole lines above it. All of it goes out at once:
    /// the former prompt is never seen below the new lines.
    func draw(_ lines: String = "", prompt: StyledText, text: String, cursor: Int) {
        let layout = layout(prompt, text, cursor)
        guard layout != shown || !lines.isEmpty else { return }
        defer {
            shown = layout
            rowsToReplace = 0
        }
        if lines.isEmpty, let shown, let addition = layout.addition(to: shown) { return write(addition) }
        write(erasure + lines + drawing(of: layout))
    }

    /// Returns true if that many rows above the prompt are on the screen.
    func canReach(rowsAbove rows: Int) -> Bool { shown.map { rows + $0.rows.count < height } ?? false }

    /// Takes the prompt away.
    func erase() {
        guard shown != nil else { return }
        write(erasure)
        shown = nil
    }

    /// An empty screen, without prompt.
    func clear() {
        write(isDumb ? "\r\n" : "\u{1b}[H\u{1b}[2J")
        shown = nil
    }

    /// Another program has written to the screen.
    func forget() {
        shown = nil
    }

    // MARK: - The window

    /// Takes the title of the window over, or gives it back.
    func own(_ isOwn: Bool) {
        self.isOwn = isOwn
        showTitle()
    }

    private func showTitle() {
        guard hasTitle else { return }
        if isOwn, let title {
            write((keepsTitle ? "" : TerminalTitle.keeping) + TerminalTitle.setting(title))
            keepsTitle = true
        } else if keepsTitle {
            write(TerminalTitle.restoring)
            keepsTitle = false
        }
    }

    /// Rings the bell.
    func ring() {
        if isOwn { write("\u{7}") }
    }

    // MARK: - Pages

    /// Goes to the page of the terminal without a history, or back. Its contents are lost when it is left.
    func useOwnPage(_ isOwn: Bool) {
        guard !isDumb, isOwn != isOnOwnPage else { return }
        erase()
        write(isOwn ? "\u{1b}[?1049h\u{1b}[H\u{1b}[2J" : "\u{1b}[H\u{1b}[2J\u{1b}[?1049l")
        isOnOwnPage = isOwn
    }

    // MARK: - Control sequences (ECMA-48)

    private func layout(_ prompt: StyledText, _ text: String, _ cursor: Int) -> PromptLayout {
        isDumb
            ? PromptLayout(prompt: prompt, oneRowOf: text, cursor: cursor, width: columns)
            : PromptLayout(
                banner: banner, prompt: prompt, text: text, cursor: cursor, width: columns, height: height - 1)
    }

    /// From where the cursor is to the beginning of the prompt, with nothing behind it.
    private var erasure: String {
        guard let shown else { return "" }
        if isDumb { return "\r" + String(repeating: " ", count: min(shown.rows[0].width, columns - 1)) + "\r" }
        let rows = shown.cursorRow + rowsToReplace
        let up = rows > 0 ? "\u{1b}[\(rows)A" : ""
        return up + "\r\u{1b}[J"
    }

    private func drawing(of layout: PromptLayout) -> String {
        let color = output.traits.usesColor
        let rows = layout.rows.map { $0.rendered(inColor: color) }.joined(separator: "\r\n")
        if layout.cursorRow == layout.rows.count - 1, layout.cursorColumn == layout.rows.last?.width { return rows }
        if isDumb {
            return rows + "\r" + layout.rows[0].start(ofWidth: layout.cursorColumn)
        }
        let up = layout.rows.count - 1 - layout.cursorRow
        return rows + (up > 0 ? "\u{1b}[\(up)A" : "") + "\r"
            + (layout.cursorColumn > 0 ? "\u{1b}[\(layout.cursorColumn)C" : "")
    }

    private func write(_ text: String) {
        guard !isBroken, !text.isEmpty else { return }
        do throws(OutputError) {
            try output.write(verbatim: text)
            try output.flush()
        } catch {
            isBroken = true
        }
    }
}

extension StyledText {
    /// As much of the beginning as fills so many columns.
    fileprivate func start(ofWidth width: Int) -> String {
        var left = width
        return String(
            text.prefix { character in
                left -= String(character).displayWidth
                return left >= 0
            })
    }
}
