import CommandKit
import JSONCoding
import TerminalKit

/// `tacit schema`
enum SchemaCommand {
    static let report = Positional<String?>(
        optional: "REPORT", "The type of the objects; all of them without it", .text("REPORT", completing: .report))

    static let leaf: Leaf = .init(
        Command(
            "schema", "Print the JSON Schema of what commands report", promise: "the schema was printed", store: .none,
            positionals: [report],
            examples: [
                Example("tacit schema message | jq .properties", "What is known of a message"),
                Example("tacit schema | jq -r .title", "All reports that there are"),
            ],
            exits: [64], topics: ["formats"],
            discussion: """
                One line for each report, in the order of their names: a JSON Schema (2020-12) of the objects that commands print \
                with --json, errors and events among them. Readers must ignore fields and types that they do not know: later \
                versions add some.
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
