import ByteCoding
import CommandKit
import JSONCoding
import TerminalKit

/// A place that was handed to the session that is open.
struct VisitReport: Report {
    /// What `open` takes.
    let place: String
    let outcome: SessionVisits.Outcome

    static let forms = [
        ReportForm(
            "visit", "A place that the open session was told to go to",
            [
                .always("place", .text, "What was opened, with ids in place of names"),
                .always(
                    "state", .word(SessionVisits.Outcome.allCases.map(\.rawValue)),
                    "Whether it goes now, or when it is unlocked, or was told so beside a daemon"),
            ])
    ]
    static let fields = ["place", "state"]

    var json: JSONObject {
        var json = JSONObject(type: "visit")
        json.set("place", place)
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
