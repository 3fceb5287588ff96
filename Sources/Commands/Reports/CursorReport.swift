import AgentProtocol
import ByteCoding
import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// How far a program has read.
struct CursorReport: Report {
    let cursor: Cursor
    /// What was done with it, if anything: `moved`.
    var action: String?

    static let forms = [
        ReportForm(
            "cursor", "A read cursor", plain: ["name", "id", "waiting", "chat", "moved_at"],
            [
                .always("name", .text, "Name of the cursor"),
                .sometimes("id", .id, "Id of the last message before the cursor; missing at the start"),
                .sometimes("chat", .text, "Contact, if the cursor covers only one conversation"),
                .sometimes("chat_id", .id, "Id of that contact"),
                .always("waiting", .count, "Number of messages after the cursor"),
                .sometimes("failed_id", .id, "Id of the message for which the program failed last"),
                .sometimes("failures", .count, "Number of failures for that message"),
                .always("moved_at", .time, "Time of the last move"),
            ])
    ]
    static let columns = [
        Table.Column("NAME", isFlexible: true), Table.Column("AT"), Table.Column("WAITING", .right),
        Table.Column("CHAT", isFlexible: true), Table.Column("MOVED"),
    ]

    var json: JSONObject {
        var json = JSONObject(type: "cursor")
        json.set("name", cursor.name)
        json.set("id", cursor.place.map { ObjectID.text($0) })
        json.set("chat", cursor.chat?.target)
        json.set("chat_id", cursor.chat?.objectID)
        json.set("waiting", cursor.waiting)
        json.set("failed_id", cursor.failure.map { ObjectID.text($0.item) })
        json.set("failures", cursor.failure?.count)
        json.set("moved_at", cursor.movedAt.description)
        return json
    }

    private var place: String { cursor.place.map { ObjectID.text($0) } ?? "start" }

    /// The failures of a program, in words.
    private var failures: String? {
        cursor.failure.map { "\(ObjectID.text($0.item)) failed \($0.count == 1 ? "once" : "\($0.count) times")" }
    }

    func cells(_ style: ReportStyle) -> [StyledText] {
        [
            StyledText(cursor.name, .name), StyledText(place) + StyledText(failures.map { ", \($0)" } ?? "", .warning),
            StyledText("\(cursor.waiting)"),
            StyledText(cursor.chat?.target ?? "all"), style.time(cursor.movedAt),
        ]
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        [
            StyledText("\(action ?? "at") ") + StyledText(cursor.name, .name)
                + StyledText(" \(place), \(cursor.waiting) waiting", .muted)
        ]
    }
}
