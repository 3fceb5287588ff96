import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// What a fetch did as a whole; the messages themselves were printed before.
struct FetchSummary: Report {
    let report: FetchReport

    static let forms = [
        ReportForm(
            "fetch", "What a fetch did as a whole",
            [
                .always("received", .count, "How many messages came"),
                .always("sent", .count, "How many messages of the outbox went"),
                .always("waiting", .count, "How many messages are in the outbox still"),
                .always("complete", .flag, "Whether all queues are drained"),
            ])
    ]
    static let fields = ["received", "sent", "waiting", "complete"]

    var json: JSONObject {
        var json = JSONObject(type: "fetch")
        json.set("received", report.received)
        json.set("sent", report.sent)
        json.set("waiting", report.waiting)
        json.set("complete", report.isComplete)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        var parts = [
            report.received == 1
                ? "1 new message" : "\(report.received == 0 ? "no" : "\(report.received)") new messages"
        ]
        if report.sent > 0 { parts.append("\(report.sent) sent") }
        if report.waiting > 0 { parts.append("\(report.waiting) in the outbox") }
        return [StyledText(parts.joined(separator: ", "), .muted)]
    }
}
