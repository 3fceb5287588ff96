import ByteCoding
import CommandKit
import JSONCoding
import TerminalKit

/// A place that was handed to the session that is open.
struct VisitReport: Report {
    /// What `open` takes.
    let place: String
    /// Whether the session goes there now, and not when it is unlocked.
    let isNow: Bool

    static let forms = [
        ReportForm(
            "visit", "A place that the open session was told to go to",
            [
                .always("place", .text, "What was opened, with ids in place of names"),
                .always("state", .word(["shown", "kept"]), "Whether it goes now, or when it is unlocked"),
            ])
    ]
    static let fields = ["place", "state"]

    var json: JSONObject {
        var json = JSONObject(type: "visit")
        json.set("place", place)
        json.set("state", isNow ? "shown" : "kept")
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        [isNow ? "the open session goes there" : "the open session goes there when it can"]
    }
}
