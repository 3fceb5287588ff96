import ByteCoding
import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// `tacit version`
enum VersionCommand {
    static let leaf: Leaf = .init(
        Command(
            "version", "Show the version of this program and of its protocols", promise: "the version was printed",
            store: .none, examples: [Example("tacit version --json | jq -r .version", "The number alone")],
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
            "version", "The versions of this program and of its protocols", plain: ["version"],
            [
                .always("version", .text, "The program"), .always("chat", .text, "Messages between people"),
                .always("agent", .text, "Conversations by way of queues"),
                .always("smp", .text, "Relays and those who use them"), .always("ratchet", .text, "Encryption"),
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
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        let ranges = protocols.map { "\($0.name) \($0.range)" }.joined(separator: ", ")
        return [StyledText("tacit \(report.version)") + StyledText(" (\(ranges))", .muted)]
    }
}
