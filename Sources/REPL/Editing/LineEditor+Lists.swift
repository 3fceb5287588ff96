import TerminalKit

/// A list right above the prompt, which can be drawn anew in its place.
extension LineEditor {
    /// Prints a list, which can be drawn anew in its place as long as nothing is printed below it.
    func print(list lines: [StyledText]) {
        print(lines)
        flush()
        listRows = lines.count
    }

    /// Whether there is a list that can be drawn anew.
    var hasList: Bool {
        guard let listRows, isShown, secret == nil, waiting.isEmpty, !canvas.isDumb else { return false }
        return canvas.canReach(rowsAbove: listRows)
    }

    /// Draws the list anew.
    func replace(list lines: [StyledText]) {
        guard hasList, let listRows else { return }
        canvas.rowsToReplace = listRows
        print(list: lines)
    }
}
