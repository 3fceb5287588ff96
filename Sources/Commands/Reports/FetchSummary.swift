import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// What a fetch did as a whole; the messages themselves were printed before.
struct FetchSummary: Report {
    let report: FetchReport
    /// Contacts whose messages wait until the encryption is renegotiated.
    var outOfStep: [Contact] = []

    static let forms = [
        ReportForm(
            "fetch", "Summary of a fetch",
            [
                .always("received", .count, "Number of received messages"),
                .always("sent", .count, "Number of sent messages"),
                .always("waiting", .count, "Number of messages still in the outbox"),
                .always("complete", .flag, "True if all receiving queues are empty and nothing waits in the outbox"),
                .sometimes(
                    "reasons",
                    .objects([
                        .sometimes("relay", .text, "Host of the relay"),
                        .sometimes("chat", .text, "Contact, if the encryption is out of sync"),
                        .always("code", .text, "Slug of the error"), .always("message", .text, "Reason, for people"),
                    ]), "Reasons for messages in the outbox, one per relay or contact"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "fetch")
        json.set("received", report.received)
        json.set("sent", report.sent)
        json.set("waiting", report.waiting)
        json.set("complete", report.isComplete && report.waiting == 0 && report.stuck.isEmpty)
        let reasons = report.stuck.map { obstacle in
            let reason = Reason(obstacle.problem)
            var json = JSONObject()
            json.set("relay", obstacle.server.place)
            json.set("code", reason.code.text)
            json.set("message", reason.text)
            return JSONValue.object(json)
        }
        let contacts = outOfStep.map { contact in
            let reason = Reason.outOfStep(contact.target, advice: contact.advice(.outOfStep))
            var json = JSONObject()
            json.set("chat", contact.target)
            json.set("code", reason.code.text)
            json.set("message", reason.text)
            return JSONValue.object(json)
        }
        if !reasons.isEmpty || !contacts.isEmpty { json["reasons"] = .array(reasons + contacts) }
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        var parts = [
            report.received == 1
                ? "1 new message" : "\(report.received == 0 ? "no" : "\(report.received)") new messages"
        ]
        if report.sent > 0 { parts.append("\(report.sent) sent") }
        if report.waiting > 0 { parts.append("\(report.waiting) in the outbox") }
        let stuck = report.stuck.map { obstacle in
            let reason = Reason(obstacle.problem).text
            return StyledText("waiting: cannot send through '\(obstacle.server.place)': \(reason)", .warning)
        }
        let contacts = outOfStep.map { contact in
            let advice = contact.advice(.outOfStep).map { "; try: \($0)" } ?? ""
            return StyledText(
                "waiting: \(Reason.outOfStep(contact.target, advice: contact.advice(.outOfStep)).text)\(advice)",
                .warning)
        }
        return [StyledText(parts.joined(separator: ", "), .muted)] + stuck + contacts
    }
}

extension FetchReport {
    /// What is in the way of queued messages only.
    var stuck: [RelayObstacle] { obstacles.filter { !$0.isForReceiving } }
}
