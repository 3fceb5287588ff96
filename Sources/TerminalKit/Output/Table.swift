/// Rows of aligned columns that fit the width of a screen.
public struct Table: Sendable {
    /// A column with its behaviour on a narrow screen.
    public struct Column: Hashable, Sendable {
        /// The title.
        public let title: String
        /// The alignment of the cells.
        public let alignment: StyledText.Alignment
        /// True if its cells may be cut. Ids and numbers must not be.
        public let isFlexible: Bool

        /// Creates a column from its parts.
        public init(_ title: String, _ alignment: StyledText.Alignment = .left, isFlexible: Bool = false) {
            self.title = title
            self.alignment = alignment
            self.isFlexible = isFlexible
        }
    }

    private let columns: [Column]
    private var rows: [[StyledText]] = []

    private static let gap: StyledText = "  "
    /// The smallest width of a flexible column.
    private static let leastWidth = 4

    /// Creates a table from its parts.
    public init(_ columns: [Column]) {
        self.columns = columns
    }

    /// True if there are no rows.
    public var isEmpty: Bool { rows.isEmpty }

    /// Adds a row. Missing cells are empty.
    public mutating func add(_ cells: [StyledText]) {
        let missing = columns.count - cells.count
        rows.append(Array(cells.prefix(columns.count)) + Array(repeating: StyledText(), count: max(0, missing)))
    }

    /// Returns the rows under their titles. Without a width no cell is cut. With a width, flexible columns shrink, the
    /// widest first; a line exceeds the width only if the other columns leave no room.
    public func lines(width: Int?, withTitles: Bool = true) -> [StyledText] {
        let titles = withTitles ? [columns.map { StyledText($0.title, .heading) }] : []
        let all = titles + rows
        var widths = columns.indices.map { column in all.map { $0[column].width }.max() ?? 0 }
        if let width { shrink(&widths, toFit: width) }
        return all.map { line($0, widths) }
    }

    private func line(_ cells: [StyledText], _ widths: [Int]) -> StyledText {
        var line = StyledText()
        // The last cell is not padded: copied lines should not end in spaces.
        let last = cells.lastIndex { !$0.isEmpty } ?? 0
        for (index, cell) in cells.prefix(last + 1).enumerated() {
            if index > 0 { line += Table.gap }
            let fitting = columns[index].isFlexible ? cell.truncated(toWidth: widths[index]) : cell
            let isPadded = index < last || columns[index].alignment == .right
            line += isPadded ? fitting.padded(toWidth: widths[index], columns[index].alignment) : fitting
        }
        return line
    }

    /// Distributes the remaining width over the flexible columns: narrow ones keep theirs, wide ones become equal.
    private func shrink(_ widths: inout [Int], toFit width: Int) {
        let flexible = columns.indices.filter { columns[$0].isFlexible }.sorted { (widths[$0], $0) < (widths[$1], $1) }
        let fixed = columns.indices.filter { !columns[$0].isFlexible }.reduce(0) { $0 + widths[$1] }
        var room = width - fixed - Table.gap.width * max(columns.count - 1, 0)
        for (index, column) in flexible.enumerated() {
            let share = max(room / (flexible.count - index), Table.leastWidth)
            widths[column] = min(widths[column], share)
            room -= widths[column]
        }
    }
}
