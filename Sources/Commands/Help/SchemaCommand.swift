import CommandKit
import JSONCoding
import TerminalKit

/// `tacit schema`
enum SchemaCommand {
    static let report = Positional<String?>(
        optional: "REPORT", "Report type; without it, all reports", .text("REPORT", completing: .report))

    static let leaf: Leaf = .init(
        Command(
            "schema", "Print the JSON Schema of a report", promise: "the schema was printed", store: .none,
            positionals: [report],
            examples: [
                Example("tacit schema message | jq .properties", "List the fields of a message"),
                Example("tacit schema | jq -r .title", "List all report types"),
            ],
            exits: [64], topics: ["formats"],
            discussion: """
                Prints one line per report, sorted by name: the JSON Schema (2020-12) of the objects that --json prints, \
                including errors and events. Readers must ignore unknown fields and types, because later versions add some.
                """),
        purpose: { _ in "print a schema" },
        run: { invocation in
            for form in try chosen(invocation) { try invocation.output.write(json: form.schema) }
            return .ok
        })

    private static func chosen(_ invocation: Invocation) throws(Failure) -> [ReportForm] {
        let forms = CommandTree.tacit.reports
        guard let type = invocation[report] else { return forms }
        if let form = forms.first(where: { $0.type == type }) { return [form] }
        throw Failure.unknownReport(type, known: forms.map(\.type))
    }
}
