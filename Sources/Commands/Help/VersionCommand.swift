import ByteCoding
import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// `tacit version`
enum VersionCommand {
    static let leaf: Leaf = .init(
        Command(
            "version", "Show program and protocol versions", promise: "the version was printed",
            store: .none,
            examples: [Example("tacit version --json | jq -r .version", "Print the version number alone")],
            reports: VersionSummary.forms),
        purpose: { _ in "show the version" },
        run: { invocation in
            try invocation.print(VersionSummary(report: .current))
            return .ok
        })
}

/// What this program is.
private struct VersionSummary: Report {
    let report: VersionReport

    static let forms = [
        ReportForm(
            "version", "Program and protocol versions", plain: ["version"],
            [
                .always("version", .text, "Version of the program"),
                .always("chat", .text, "Versions of the chat protocol"),
                .always("agent", .text, "Versions of the agent protocol"),
                .always("smp", .text, "Versions of the SMP protocol"),
                .always("ratchet", .text, "Versions of the ratchet"),
                .always("api", .text, "Version of SimpleX Chat whose API this program has"),
            ])
    ]

    private var protocols: [(name: String, range: String)] {
        [
            ("chat", report.chat.description), ("agent", report.agent.description), ("smp", report.smp.description),
            ("ratchet", report.ratchet.description),
        ]
    }

    var json: JSONObject {
        var json = JSONObject(type: "version")
        json.set("version", report.version)
        for (name, range) in protocols { json.set(name, range) }
        json.set("api", VersionReport.api)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        let ranges = protocols.map { "\($0.name) \($0.range)" }.joined(separator: ", ")
        return [
            StyledText("tacit \(report.version)")
                + StyledText(" (\(ranges); API of SimpleX Chat \(VersionReport.api))", .muted)
        ]
    }
}
