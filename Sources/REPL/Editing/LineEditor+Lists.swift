import TerminalKit

/// A list right above the prompt, which can be replaced.
extension LineEditor {
    /// Prints a list, which can be replaced as long as nothing is printed below it.
    func print(list lines: [StyledText]) {
        print(lines)
        flush()
        listRows = lines.count
    }

    /// True if there is a list that can be replaced.
    var hasList: Bool {
        guard let listRows, isShown, secret == nil, waiting.isEmpty, !canvas.isDumb else { return false }
        return canvas.canReach(rowsAbove: listRows)
    }

    /// Draws the list again, in its place.
    func replace(list lines: [StyledText]) {
        guard hasList, let listRows else { return }
        canvas.rowsToReplace = listRows
        print(list: lines)
    }
}
