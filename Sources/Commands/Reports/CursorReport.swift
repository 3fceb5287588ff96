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
    var deed: String?

    static let forms = [
        ReportForm(
            "cursor", "How far a program has read", plain: ["name", "id", "waiting", "chat", "moved_at"],
            [
                .always("name", .text, "What it is called"),
                .sometimes("id", .id, "The last message before it; missing at the beginning"),
                .sometimes("chat", .text, "The only contact whose messages it goes through, as it is typed"),
                .sometimes("chat_id", .id, "That contact"),
                .always("waiting", .count, "How many messages are behind it"),
                .sometimes("failed_id", .id, "The message behind it for which a program failed last"),
                .sometimes("failures", .count, "How often the program failed for that message"),
                .always("moved_at", .time, "When it was put there"),
            ])
    ]
    static let columns = [
        Table.Column("NAME", isFlexible: true), Table.Column("AT"), Table.Column("BEHIND IT", .right),
        Table.Column("CHAT", isFlexible: true), Table.Column("MOVED"),
    ]

    var json: JSONObject {
        var json = JSONObject(type: "cursor")
        json.set("name", cursor.name)
        json.set("id", cursor.place.map { ObjectID.text($0) })
        json.set("chat", cursor.contact?.target)
        json.set("chat_id", cursor.contact?.objectID)
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
            StyledText(cursor.contact?.target ?? "all"), style.time(cursor.movedAt),
        ]
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        [
            StyledText("\(deed ?? "at") ") + StyledText(cursor.name, .name)
                + StyledText(" \(place), \(cursor.waiting) behind it", .muted)
        ]
    }
}
