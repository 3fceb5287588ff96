import ByteCoding
import ChatCore
import CommandKit
import Host
import JSONCoding
import TerminalKit

/// A place that was handed to the session that is open.
struct VisitReport: Report {
    /// What `open` takes.
    let place: String
    let outcome: SessionVisits.Outcome
    /// Whose conversation or page it is; nil for a link.
    var chat: Chat?

    init(_ visit: SessionVisits.Visit) {
        place = visit.place
        outcome = visit.outcome
    }

    /// The answer of another process; nil if it has no session.
    init?(_ json: JSONObject) {
        guard let visit = SessionVisits.Visit(json) else { return nil }
        self.init(visit)
    }

    static let forms = [
        ReportForm(
            "visit", "A target that the open session was asked to show", plain: ["place", "state"],
            [
                .always("place", .text, "Target, with ids instead of names"),
                .sometimes("chat", .text, "Contact or group, in the form that commands accept; missing for a link"),
                .sometimes("chat_id", .id, "Id of the contact or group"),
                .always(
                    "state", .word(SessionVisits.Outcome.allCases.map(\.rawValue)),
                    "Display: at once, after unlocking, or in a session beside a daemon"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "visit")
        json.set("place", place)
        json.set("chat", chat?.target)
        json.set("chat_id", chat?.objectID)
        json.set("state", outcome.rawValue)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        switch outcome {
        case .shown: ["shown in the open session"]
        case .kept: ["will be shown in the open session"]
        case .told: ["sent to the open session"]
        }
    }
}
