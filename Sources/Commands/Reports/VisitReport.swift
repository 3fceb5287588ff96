import ByteCoding
import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// A place that was handed to the session that is open.
struct VisitReport: Report {
    /// What `open` takes.
    let place: String
    let outcome: SessionVisits.Outcome
    /// Whose conversation or page it is; nil for a link.
    var contact: Contact?

    init(place: String, outcome: SessionVisits.Outcome) {
        self.place = place
        self.outcome = outcome
    }

    /// What another process says; nil if there is no session.
    init?(_ json: JSONObject) {
        guard let place = json["place"]?.string, let state = json["state"]?.string,
            let outcome = SessionVisits.Outcome(rawValue: state)
        else { return nil }
        self.init(place: place, outcome: outcome)
    }

    static let forms = [
        ReportForm(
            "visit", "A place that the open session was told to go to", plain: ["place", "state"],
            [
                .always("place", .text, "What was opened, with ids in place of names"),
                .sometimes("chat", .text, "The contact as it is typed; missing for a link"),
                .sometimes("chat_id", .id, "The contact"),
                .always(
                    "state", .word(SessionVisits.Outcome.allCases.map(\.rawValue)),
                    "Whether it goes now, or when it is unlocked, or was told so beside a daemon"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "visit")
        json.set("place", place)
        json.set("chat", contact?.target)
        json.set("chat_id", contact?.objectID)
        json.set("state", outcome.rawValue)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        switch outcome {
        case .shown: ["the open session goes there"]
        case .kept: ["the open session goes there when it can"]
        case .told: ["the open session was told to go there"]
        }
    }
}
