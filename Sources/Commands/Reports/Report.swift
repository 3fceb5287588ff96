import ByteCoding
import CommandKit
import JSONCoding
import TerminalKit

/// A result in its three forms. The JSON object is the whole of it; plain records are fields of the object.
protocol Report: Sendable {
    /// The objects that it may be, each under its type.
    static var forms: [ReportForm] { get }
    /// The fields of a plain record, unless others are asked for; those that the first form declares.
    static var fields: [String] { get }
    /// The columns of a list, if it is shown as a table.
    static var columns: [Table.Column] { get }

    var json: JSONObject { get }
    /// The row of a table.
    func cells(_ style: ReportStyle) -> [StyledText]
    /// The text of a single result, or of a list without columns.
    func lines(_ style: ReportStyle) -> [StyledText]
}

extension Report {
    static var fields: [String] { forms.first?.plain ?? [] }
    static var columns: [Table.Column] { [] }
    func cells(_ style: ReportStyle) -> [StyledText] { [] }

    /// The row without its table.
    func lines(_ style: ReportStyle) -> [StyledText] {
        var table = Table(Self.columns)
        table.add(cells(style))
        return table.lines(width: style.width, withTitles: false)
    }
}

/// What the text of a report depends on besides its contents.
struct ReportStyle: Sendable {
    /// The columns of the screen, if there is one.
    let width: Int?
    private let invocation: Invocation

    init(_ invocation: Invocation) {
        self.invocation = invocation
        width = invocation.output.traits.width
    }

    /// For a document, which has no screen.
    init(plain invocation: Invocation) {
        self.invocation = invocation
        width = nil
    }

    /// A time as people read it.
    func time(_ timestamp: Timestamp) -> StyledText {
        StyledText(invocation.time(timestamp), .muted)
    }
}
